package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
)

// listShape makes a deviation that writes listings otherwise than as a bare array of animals.
func listShape(name, suffers string, w func(c *call, pets []spec.Pet) bool, change func(array []byte, pets []spec.Pet) []byte) Deviation {
	return Deviation{
		Name: name, Breaks: ids("LIST-2"), Suffers: suffers,
		apply: func(b *behaviour) {
			write := b.list
			b.list = func(dst []byte, c *call, pets []spec.Pet) []byte {
				dst = write(dst, c, pets)
				if w(c, pets) {
					dst = change(dst, pets)
				}
				return dst
			}
		},
	}
}

func everyList(*call, []spec.Pet) bool     { return true }
func noAnimals(_ *call, p []spec.Pet) bool { return len(p) == 0 }
func oneAnimal(_ *call, p []spec.Pet) bool { return len(p) == 1 }
func filtered(c *call, _ []spec.Pet) bool  { return c.filter.status != "" }
func someAnimals(_ *call, p []spec.Pet) bool {
	return len(p) > 0
}

// wrapped puts the array into a member of an object.
func wrapped(before, after string) func([]byte, []spec.Pet) []byte {
	return func(array []byte, _ []spec.Pet) []byte { return slices.Concat([]byte(before), array, []byte(after)) }
}

func insteadOf(s string) func([]byte, []spec.Pet) []byte {
	return func([]byte, []spec.Pet) []byte { return []byte(s) }
}

var listShapeDeviations = []Deviation{
	listShape("list-null-when-empty", "A client that walks over the listing meets null.", noAnimals, insteadOf("null")),
	listShape("list-null-when-filter-finds-none", "A client that walks over a filtered listing meets null.", func(c *call, p []spec.Pet) bool {
		return len(p) == 0 && c.filter.status != ""
	}, insteadOf("null")),
	listShape("list-object-when-empty", "A language without two kinds of collection writes an empty object.", noAnimals, insteadOf("{}")),
	listShape("list-under-pets", "The array is one level deeper than promised.", everyList, wrapped(`{"pets":`, `}`)),
	listShape("list-under-data", "An envelope surrounds the array.", everyList, wrapped(`{"data":`, `,"meta":{"page":1}}`)),
	listShape("list-under-items-when-filtered", "Only filtered listings come in an envelope.", filtered, wrapped(`{"items":`, `}`)),
	listShape("list-under-results-with-limit", "A paginator puts listings with a limit into its envelope.", func(c *call, _ []spec.Pet) bool {
		return c.request.URL.Query().Has("limit")
	}, wrapped(`{"count":null,"next":null,"results":`, `}`)),
	listShape("list-array-in-array", "The array stands in another one.", everyList, wrapped(`[`, `]`)),
	listShape("list-as-string", "The array was encoded twice: a string with JSON in it.", everyList, func(array []byte, _ []spec.Pet) []byte {
		return []byte(quoted(string(array)))
	}),
	listShape("list-of-one-unwrapped", "One animal is an object, two are an array, as converters from XML do it.", oneAnimal, func(array []byte, _ []spec.Pet) []byte {
		return bytes.Clone(array[1 : len(array)-1])
	}),
	listShape("list-keyed-by-id", "The listing is an object keyed by id.", someAnimals, func(_ []byte, pets []spec.Pet) []byte {
		var fields []field
		for _, p := range pets {
			fields = append(fields, field{whole(p.ID), string(appendPet(nil, p))})
		}
		return appendFields(nil, fields)
	}),
	listShape("list-of-ids", "Every animal has to be fetched one by one, with the deprecated operation.", someAnimals, func(_ []byte, pets []spec.Pet) []byte {
		out := []byte{'['}
		for i, p := range pets {
			if i > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, p.ID, 10)
		}
		return append(out, ']')
	}),
	listShape("list-ends-in-null", "A null stands behind the last animal.", someAnimals, func(array []byte, _ []spec.Pet) []byte {
		return append(array[:len(array)-1], ",null]"...)
	}),
	{
		Name: "list-204-when-empty", Breaks: ids("LIST-1"), May: ids("LIST-2", "LIST-3", "LIST-6", "SERVICE-1", "SERVICE-2"),
		Suffers: "A client that decodes the body of an empty shop fails.",
		apply: func(b *behaviour) {
			b.alter(emptyList, func(_ *call, a *answer) { *a = answer{status: http.StatusNoContent} })
		},
	},
	{
		Name: "list-404-when-empty", Breaks: ids("LIST-1"), May: ids("LIST-3", "LIST-6"),
		Suffers: "An empty shop looks like a wrong address.",
		apply:   func(b *behaviour) { b.alter(emptyList, withStatus(http.StatusNotFound)) },
	},
	{
		Name: "list-404-when-filter-finds-none", Breaks: ids("LIST-6"),
		Suffers: "A client takes a status that no animal has for an error.",
		apply: func(b *behaviour) {
			b.alter(when(emptyList).and(func(c *call, _ *answer) bool { return c.filter.status != "" }), withStatus(http.StatusNotFound))
		},
	},
	{
		Name: "list-500-when-empty", Breaks: ids("LIST-1"), May: ids("LIST-3", "LIST-6", "ERROR-7"),
		Suffers: "A new shop cannot be listed before its first animal.",
		apply:   func(b *behaviour) { b.alter(emptyList, withStatus(http.StatusInternalServerError)) },
	},
	{
		Name: "list-206", Breaks: ids("LIST-1"), May: ids("LIST-3", "LIST-5", "LIST-6"),
		Suffers: "A client that checks for 200 drops every listing.",
		apply: func(b *behaviour) {
			b.alter(on(spec.ListPets).and(succeeded), func(_ *call, a *answer) { a.status = http.StatusPartialContent })
		},
	},
	{
		Name: "list-without-limit-400", Breaks: ids("LIST-1"), May: ids("LIST-5", "LIST-6"),
		Suffers: "The optional limit is required.",
		apply: func(b *behaviour) {
			read := b.limit
			b.limit = func(value string, given bool) (int, *refusal) {
				if !given {
					return 0, invalid("limit_invalid", "The limit is missing.")
				}
				return read(value, given)
			}
		},
	},
	{
		Name: "list-redirected", Breaks: ids("LIST-1"), May: ids("LIST-3", "LIST-5", "LIST-6"),
		Suffers: "A router wants a slash at the end; clients that do not follow get nothing.",
		apply: func(b *behaviour) {
			b.alter(on(spec.ListPets).and(succeeded), func(c *call, a *answer) {
				c.header.Set("Location", c.request.URL.Path+"/")
				*a = answer{status: http.StatusMovedPermanently}
			})
		},
	},
}
