package reference

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
)

// answered makes a deviation that changes the successful answers that w means.
func answered(name string, breaks spec.ID, suffers string, w when, change func(*call, *answer), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) { b.alter(on(showing...).and(succeeded).and(w), change) },
	}
}

func emptyList(c *call, a *answer) bool {
	return c.operation == spec.ListPets && string(a.body) == "[]"
}

var mediaDeviations = []Deviation{
	answered("media-text-on-list", "SERVICE-1", "A client that goes by the media type shows a listing as text.", on(spec.ListPets), declared(textType)),
	answered("media-html-on-create", "SERVICE-1", "The framework's default type stayed on the new animal.", on(spec.CreatePet), declared(htmlType)),
	answered("media-text-on-get", "SERVICE-1", "One animal is declared as text.", on(spec.GetPet), declared("text/plain")),
	answered("media-none", "SERVICE-1", "A client has to guess what the body is.", always, declared("")),
	answered("media-none-on-get", "SERVICE-1", "A client has to guess what the body is.", on(spec.GetPet), declared("")),
	answered("media-bytes-on-list", "SERVICE-1", "A browser saves the listing as a file.", on(spec.ListPets), declared("application/octet-stream")),
	answered("media-json-api", "SERVICE-1", "The body is declared in a format that it does not have.", always, declared("application/vnd.api+json")),
	answered("media-text-json", "SERVICE-1", "An older name of the media type is not recognised.", always, declared("text/json")),
	answered("media-word", "SERVICE-1", "The header is not a media type at all.", on(spec.CreatePet), declared("json")),
	answered("media-text-when-empty", "SERVICE-1", "The empty listing takes a path of its own.", emptyList, declared(textType)),
	answered("media-html-when-filtered", "SERVICE-1", "Filtered listings come from a cache that lost the type.", func(c *call, _ *answer) bool { return c.filter.status != "" }, declared(htmlType)),
}

var jsonDeviations = slices.Concat(jsonFrameDeviations, jsonTextDeviations)

// What surrounds the JSON or is missing from it.
var jsonFrameDeviations = []Deviation{
	answered("json-byte-order-mark", "SERVICE-2", "Strict parsers stumble over the mark before the first bracket.", always, surrounded("\ufeff", "")),
	answered("json-guard-prefix", "SERVICE-2", "A prefix against script inclusion has to be known to be taken off.", on(spec.ListPets), surrounded(")]}',\n", "")),
	answered("json-callback", "SERVICE-2", "The body is a call of a function.", on(spec.ListPets), surrounded("callback(", ");")),
	answered("json-warning-before", "SERVICE-2", "A warning of the interpreter stands before the body.", on(spec.CreatePet), surrounded("<br />\n<b>Warning</b>: undefined index\n", "")),
	answered("json-footer-behind", "SERVICE-2", "A time for debugging stands behind the body.", on(spec.ListPets), surrounded("", "\n<!-- 4 ms -->")),
	answered("json-twice", "SERVICE-2", "The body was written twice.", on(spec.GetPet), func(_ *call, a *answer) { a.body = bytes.Repeat(a.body, 2) }),
	answered("json-last-byte-missing", "SERVICE-2", "The last bracket is missing.", on(spec.ListPets), func(_ *call, a *answer) { a.body = a.body[:len(a.body)-1] }),
	answered("json-empty-when-empty", "LIST-2", "An empty shop has an empty body, which no parser takes.", emptyList, saying("")),
	answered("json-empty-on-201", "CREATE-2", "The client does not learn which animal it created.", having(201), saying("")),
	answered("json-trailing-comma", "SERVICE-2", "A comma stands before the last bracket.", on(spec.ListPets), func(_ *call, a *answer) {
		if len(a.body) > 2 {
			a.body = append(slices.Clone(a.body[:len(a.body)-1]), ",]"...)
		}
	}),
	answered("json-lines", "SERVICE-2", "Animals stand on lines of their own, in no array.", on(spec.ListPets), func(_ *call, a *answer) {
		a.body = bytes.ReplaceAll(bytes.Trim(a.body, "[]"), []byte("},{"), []byte("}\n{"))
	}, "LIST-2"),
	answered("json-length-in-letters", "SERVICE-2", "The length counts letters, so names beyond ASCII cost the body its end.", always, func(_ *call, a *answer) {
		a.body = a.body[:utf8.RuneCount(a.body)]
	}),
}

// How its text is written.
var jsonTextDeviations = []Deviation{
	answered("json-single-quotes", "SERVICE-2", "The list was printed, not encoded.", always, func(_ *call, a *answer) {
		a.body = bytes.ReplaceAll(a.body, []byte(`"`), []byte(`'`))
	}),
	answered("json-utf16", "SERVICE-2", "The body is UTF-16, which JSON between systems is not.", on(spec.GetPet), func(_ *call, a *answer) {
		var out []byte
		for _, u := range utf16.Encode([]rune(string(a.body))) {
			out = append(out, byte(u), byte(u>>8))
		}
		a.body = out
	}),
	answered("json-latin1", "SERVICE-2", "Names with accents arrive as bytes that are not UTF-8.", always, func(_ *call, a *answer) {
		a.body = latin1(string(a.body))
	}, "CREATE-3", "LIST-10", "CREATE-13", "GET-2"),
	answered("json-names-unescaped", "SERVICE-2", "A quotation mark in a name ends the string.", always, func(_ *call, a *answer) {
		a.body = bytes.ReplaceAll(a.body, []byte(`\"`), []byte(`"`))
	}),
	answered("json-emoji-halved", "SERVICE-2", "Characters beyond the first plane are written as two halves, three bytes each.", always, func(_ *call, a *answer) {
		a.body = halved(string(a.body))
	}),
	explored(answered("json-newline-unescaped", "SERVICE-2", "A line break in a name stands bare inside the string.", always, func(_ *call, a *answer) {
		a.body = bytes.ReplaceAll(a.body, []byte(`\n`), []byte("\n"))
	})),
	explored(answered("json-backslash-unescaped", "SERVICE-2", "A backslash in a name begins an escape that is none.", always, func(_ *call, a *answer) {
		a.body = bytes.ReplaceAll(a.body, []byte(`\\`), []byte(`\`))
	})),
}

// explored says that a standard run need not meet the deviation.
func explored(d Deviation) Deviation {
	d.Needs = Explore
	return d
}

// latin1 writes what fits into one byte as that byte, and everything else as a question mark.
func latin1(s string) []byte {
	var out []byte
	for _, r := range s {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// halved writes characters beyond U+FFFF as the three bytes of each half of their surrogate pair, as some databases do.
func halved(s string) []byte {
	var out []byte
	for _, r := range s {
		high, low := utf16.EncodeRune(r)
		if high == utf8.RuneError {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range [2]rune{high, low} {
			out = append(out, 0xe0|byte(half>>12), 0x80|byte(half>>6)&0x3f, 0x80|byte(half)&0x3f)
		}
	}
	return out
}

// beyond says whether a text has a character above limit.
func beyond(text string, limit rune) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > limit })
}
