package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
)

// listing writes the selected listings in another form than a bare array.
func listing(is func(c *call, pets []spec.Pet) bool, change func(array []byte, pets []spec.Pet) []byte) func(*behaviour) {
	return func(b *behaviour) {
		write := b.list
		b.list = func(c *call, pets []spec.Pet) []byte {
			array := write(c, pets)
			if is(c, pets) {
				return change(array, pets)
			}
			return array
		}
	}
}

func everyList(*call, []spec.Pet) bool          { return true }
func ofNone(_ *call, pets []spec.Pet) bool      { return len(pets) == 0 }
func ofOne(_ *call, pets []spec.Pet) bool       { return len(pets) == 1 }
func ofSome(_ *call, pets []spec.Pet) bool      { return len(pets) > 0 }
func withFilter(c *call, _ []spec.Pet) bool     { return c.filter.status != "" }
func withLimit(c *call) bool                    { return c.request.URL.Query().Has("limit") }
func filteredToNone(c *call, p []spec.Pet) bool { return withFilter(c, p) && ofNone(c, p) }
func withLimitGiven(c *call, _ []spec.Pet) bool { return withLimit(c) }
func bare(s string) func([]byte, []spec.Pet) []byte {
	return func([]byte, []spec.Pet) []byte { return []byte(s) }
}

// wrapped puts text around the array.
func wrapped(before, after string) func([]byte, []spec.Pet) []byte {
	return func(array []byte, _ []spec.Pet) []byte { return slices.Concat([]byte(before), array, []byte(after)) }
}

var listShapeDeviations = table(Deviation{Breaks: ids("LIST-2")}, []Deviation{
	{Name: "list-null-when-empty", Suffers: "A client that walks over an empty listing reads null.", apply: listing(ofNone, bare("null"))},
	{Name: "list-null-when-filter-finds-none", Suffers: "A client that walks over an empty filtered listing reads null.", apply: listing(filteredToNone, bare("null"))},
	{Name: "list-object-when-empty", Suffers: "A client that walks over an empty listing reads an object.", apply: listing(ofNone, bare("{}"))},
	{Name: "list-under-pets", Suffers: "The array is nested in the member pets.", apply: listing(everyList, wrapped(`{"pets":`, `}`))},
	{Name: "list-under-items-when-filtered", Suffers: "Filtered listings are nested in the member items; others are not.", apply: listing(withFilter, wrapped(`{"items":`, `}`))},
	{Name: "list-under-results-with-limit", Suffers: "Listings with a limit are nested in the envelope of a paginator.",
		apply: listing(withLimitGiven, wrapped(`{"count":null,"next":null,"results":`, `}`))},
	{Name: "list-array-in-array", Suffers: "The array is nested in another array.", apply: listing(everyList, wrapped(`[`, `]`))},
	{Name: "list-as-string", Suffers: "The array is encoded twice: a string that holds JSON.", apply: listing(everyList, func(array []byte, _ []spec.Pet) []byte {
		return []byte(quoted(string(array)))
	})},
	{Name: "list-of-one-unwrapped", Suffers: "A listing of one animal is an object, as converters from XML write it.", apply: listing(ofOne, func(array []byte, _ []spec.Pet) []byte {
		return bytes.Clone(array[1 : len(array)-1])
	})},
	{Name: "list-keyed-by-id", Suffers: "The listing is an object keyed by id.", apply: listing(ofSome, func(_ []byte, pets []spec.Pet) []byte {
		var fields []field
		for _, p := range pets {
			fields = append(fields, field{whole(p.ID), string(encode(petFields(p)))})
		}
		return encode(fields)
	})},
	{Name: "list-of-ids", Suffers: "A client must fetch each animal with the deprecated operation.", apply: listing(ofSome, func(_ []byte, pets []spec.Pet) []byte {
		out := []byte{'['}
		for i, p := range pets {
			if i > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, p.ID, 10)
		}
		return append(out, ']')
	})},
	{Name: "list-ends-in-null", Suffers: "The last element is null.", apply: listing(ofSome, func(array []byte, _ []spec.Pet) []byte {
		return append(array[:len(array)-1], ",null]"...)
	})},
})

var listStatusDeviations = table(Deviation{Breaks: ids("LIST-1")}, []Deviation{
	{Name: "list-204-when-empty", May: ids("LIST-2", "LIST-3", "LIST-6", "SERVICE-1", "SERVICE-2"), Suffers: "A client that decodes an empty listing fails, because there is no body.",
		apply: emptyList.then(replaced(http.StatusNoContent, "", ""))},
	{Name: "list-404-when-empty", May: ids("LIST-3", "LIST-6"), Suffers: "An empty shop looks like a wrong address.", apply: emptyList.then(withStatus(http.StatusNotFound))},
	{Name: "list-404-when-filter-finds-none", Breaks: ids("LIST-6"), Suffers: "A client takes a status that no animal has for an error.",
		apply: emptyList.and(filtered).then(withStatus(http.StatusNotFound))},
	{Name: "list-500-when-empty", May: ids("LIST-3", "LIST-6", "ERROR-7"), Suffers: "A new shop cannot be listed before its first animal.",
		apply: emptyList.then(withStatus(http.StatusInternalServerError))},
	{Name: "list-206", May: ids("LIST-3", "LIST-5", "LIST-6"), Suffers: "A client that checks for 200 drops every listing.",
		apply: on(spec.ListPets).and(succeeded).then(answering(http.StatusPartialContent))},
	{Name: "list-without-limit-400", May: ids("LIST-5", "LIST-6"), Suffers: "A client that leaves out the optional limit is refused.",
		apply: limitAsRead(func(n int, given bool) (int, *refusal) {
			if !given {
				return 0, invalid("limit_invalid", "The limit is missing.")
			}
			return n, nil
		})},
	{Name: "list-redirected", May: ids("LIST-3", "LIST-5", "LIST-6"), Suffers: "A client that does not follow redirects gets no listing; the router wants a slash at the end.",
		apply: on(spec.ListPets).and(succeeded).then(redirected(http.StatusMovedPermanently, func(c *call) string { return c.request.URL.Path + "/" }))},
})
