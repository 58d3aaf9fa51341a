package reference

import (
	"slices"
	"strings"

	"petconform/spec"
)

// keptAs makes a deviation that keeps something else than was sent, and shows it from the 201 on.
func keptAs(name, suffers string, change func(spec.NewPet) spec.NewPet) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10", "LIST-7", "LIST-8"), Suffers: suffers,
		apply: func(b *behaviour) { b.store(change) },
	}
}

// echoedAs makes a deviation whose 201 shows something else than what is kept.
func echoedAs(name, suffers string, change func(spec.Pet) spec.Pet) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10"), Suffers: suffers,
		apply: func(b *behaviour) { b.show(onCreate, change) },
	}
}

func category(change func(int64) int64) func(spec.NewPet) spec.NewPet {
	return func(p spec.NewPet) spec.NewPet {
		p.CategoryID = change(p.CategoryID)
		return p
	}
}

func statusOf(change func(spec.PetStatus) spec.PetStatus) func(spec.NewPet) spec.NewPet {
	return func(p spec.NewPet) spec.NewPet {
		p.Status = change(p.Status)
		return p
	}
}

// given replaces a status that was sent; one that was left out is open.
func given(to spec.PetStatus) func(spec.PetStatus) spec.PetStatus {
	return func(s spec.PetStatus) spec.PetStatus {
		if s == "" {
			return s
		}
		return to
	}
}

var createValueDeviations = slices.Concat(createNameDeviations, createNumberDeviations)

var createNameDeviations = []Deviation{
	keptAs("name-trimmed", "White space at the ends of a name is gone.", keptName(strings.TrimSpace)),
	keptAs("name-spaces-collapsed", "Two spaces in a name become one.", keptName(func(s string) string {
		for strings.Contains(s, "  ") {
			s = strings.ReplaceAll(s, "  ", " ")
		}
		return s
	})),
	keptAs("name-lower-case", "Names lose their capitals.", keptName(strings.ToLower)),
	keptAs("name-upper-case", "Names shout.", keptName(strings.ToUpper)),
	keptAs("name-title-case", "McCavity becomes Mccavity.", keptName(titled)),
	keptAs("name-cut-at-10", "Names are cut without a word.", keptName(func(s string) string { return cut(s, 10) })),
	keptAs("name-cut-at-20", "Names are cut without a word.", keptName(func(s string) string { return cut(s, 20) })),
	explored(keptAs("name-cut-at-50", "Names are cut without a word.", keptName(func(s string) string { return cut(s, 50) }))),
	explored(keptAs("name-cut-at-64", "Names are cut without a word.", keptName(func(s string) string { return cut(s, 64) }))),
	explored(keptAs("name-cut-at-255-bytes", "Names are cut where a column ends.", keptName(func(s string) string { return cutBytes(s, 255) }))),
	keptAs("name-escaped-for-html", "O'Malley & Co. comes back as O&#39;Malley &amp; Co.", keptName(escapeHTML)),
	keptAs("name-misread-as-latin1", "é comes back as Ã©.", keptName(misread)),
	keptAs("name-question-marks", "Characters that a database's encoding lacks become question marks.", keptName(func(s string) string { return marked(s, 0xff, "?") })),
	keptAs("name-emoji-stripped", "A column of three bytes a character drops emoji.", keptName(func(s string) string { return marked(s, 0xffff, "") })),
	keptAs("name-emoji-replaced", "Emoji become the sign for what cannot be shown.", keptName(func(s string) string { return marked(s, 0xffff, "\ufffd") })),
	keptAs("name-ascii-only", "Names in other scripts come back empty.", keptName(func(s string) string { return marked(s, 0x7f, "") })),
	keptAs("name-accents-folded", "Zoë becomes Zoe.", keptName(foldAccents)),
	keptAs("name-apostrophe-doubled", "A quotation mark escaped for the database comes back doubled.", keptName(func(s string) string { return strings.ReplaceAll(s, "'", "''") })),
	keptAs("name-quotes-dropped", "Quotation marks are filtered out.", keptName(func(s string) string { return strings.ReplaceAll(s, `"`, "") })),
	keptAs("name-plus-as-space", "A name is decoded like a form: plus becomes a space.", keptName(func(s string) string { return strings.ReplaceAll(s, "+", " ") })),
	keptAs("name-percent-decoded", "A name is decoded once too often.", keptName(percentDecoded)),
	keptAs("name-tags-stripped", "What looks like a tag is removed from names.", keptName(withoutTags)),
	explored(keptAs("name-line-end-changed", "A line feed becomes carriage return and line feed.", keptName(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }))),
	explored(keptAs("name-ends-at-nul", "A name ends at its first zero character.", keptName(func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s }))),
	explored(keptAs("name-null-emptied", `The name "null" becomes empty.`, keptName(func(s string) string {
		if strings.EqualFold(s, "null") {
			return ""
		}
		return s
	}))),
	echoedAs("name-lower-case-on-201", "The answer shows a name that was not kept so.", named(strings.ToLower)),
	echoedAs("name-escaped-on-201", "The answer shows a name escaped for HTML.", named(escapeHTML)),
	echoedAs("name-emptied-on-201", "The answer shows no name.", named(func(string) string { return "" })),
}

var createNumberDeviations = []Deviation{
	keptAs("category-through-float", "Categories beyond 2^53 become other categories.", category(throughFloat)),
	keptAs("category-of-32-bits", "Categories beyond 2^31 wrap around.", category(func(n int64) int64 { return int64(int32(n)) })),
	keptAs("category-at-most-32-bits", "Categories beyond 2^31 become its largest.", category(func(n int64) int64 { return max(min(n, 1<<31-1), -1<<31) })),
	explored(keptAs("category-without-sign", "A negative category loses its sign.", category(func(n int64) int64 {
		if n < 0 && n != -1<<63 {
			return -n
		}
		return n
	}))),
	explored(keptAs("category-0-as-1", "Category 0 counts as not given and becomes the first.", category(func(n int64) int64 {
		if n == 0 {
			return 1
		}
		return n
	}))),
	keptAs("status-dropped", "The status that was sent is forgotten.", statusOf(given(""))),
	keptAs("status-always-available", "Whatever was sent, the animal is available.", statusOf(given(spec.Available))),
	keptAs("status-pending-as-available", "A reserved animal is offered again.", statusOf(func(s spec.PetStatus) spec.PetStatus {
		if s == spec.Pending {
			return spec.Available
		}
		return s
	})),
	keptAs("status-sold-as-pending", "A sold animal is shown as reserved.", statusOf(func(s spec.PetStatus) spec.PetStatus {
		if s == spec.Sold {
			return spec.Pending
		}
		return s
	})),
	echoedAs("status-missing-on-201", "The answer leaves out the status that was sent.", func(p spec.Pet) spec.Pet {
		p.Status = ""
		return p
	}),
	echoedAs("status-available-on-201", "The answer always says available.", func(p spec.Pet) spec.Pet {
		if p.Status != "" {
			p.Status = spec.Available
		}
		return p
	}),
	echoedAs("category-rounded-on-201", "The answer's category went through a float.", func(p spec.Pet) spec.Pet {
		p.CategoryID = throughFloat(p.CategoryID)
		return p
	}),
	echoedAs("category-0-on-201", "The answer's category was not filled in.", func(p spec.Pet) spec.Pet {
		p.CategoryID = 0
		return p
	}),
}
