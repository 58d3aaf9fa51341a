package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"petconform/spec"
)

// cacheLists answers the selected listings from a cache that never expires. One that expires after some seconds would be a
// lawful replica lag.
func cacheLists(selected func(filter) bool) func(*behaviour) {
	return cacheListsBy(func(f filter) (filter, bool) { return f, selected(f) }, false)
}

// cacheListsBy answers listings from a cache with a key, if they have one. A new animal may empty the cache.
func cacheListsBy(keyOf func(filter) (key filter, cached bool), emptied bool) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		cache := map[filter][]spec.Pet{}
		if emptied {
			b.onAdd(func(*call, spec.Pet) {
				mu.Lock()
				defer mu.Unlock()
				clear(cache)
			})
		}
		find := b.find
		b.find = func(c *call, f filter) ([]spec.Pet, error) {
			key, cached := keyOf(f)
			if !cached {
				return find(c, f)
			}
			mu.Lock()
			defer mu.Unlock()
			pets, kept := cache[key]
			if !kept {
				fresh, err := find(c, f)
				if err != nil {
					return nil, err
				}
				pets = slices.Clone(fresh)
				cache[key] = pets
			}
			return slices.Clone(pets), nil
		}
	}
}

// unlisted leaves animals out of every listing.
func unlisted(hidden func(p spec.Pet) bool) func(*behaviour) {
	return hide(func(_ filter, p spec.Pet) bool { return hidden(p) })
}

// relabelled changes the values of the animals of a listing.
func relabelled(change func(c *call, pets []spec.Pet)) func(*behaviour) {
	return func(b *behaviour) { b.relabel(change) }
}

func beyond32Bits(n int64) bool { return n != int64(int32(n)) }

func wrap32Bits(n int64) int64 { return int64(int32(n)) }

var listContentDeviations = slices.Concat(
	table(Deviation{Breaks: ids("LIST-9")}, []Deviation{
		{Name: "list-repeats-the-last", Suffers: "A client counts the last animal twice.", apply: refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
			return append(pets, pets[max(len(pets)-1, 0):]...)
		})},
		{Name: "list-repeats-each", May: ids("LIST-8", "LIST-11"), Suffers: "Each animal is listed twice, so half of them do not fit.", apply: refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
			var twice []spec.Pet
			for _, p := range pets {
				twice = append(twice, p, p)
			}
			return twice
		})},
		{Name: "list-repeats-across-pages", Suffers: "The tenth animal is listed twice, because internal pages of ten overlap.", apply: refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
			if len(pets) > 10 {
				pets = slices.Insert(slices.Clone(pets), 10, pets[9])
			}
			return pets
		})},
		{Name: "list-repeats-when-filtered", May: ids("LIST-8"), Suffers: "A filtered listing repeats its first animal.", apply: trim(true, func(pets []spec.Pet) []spec.Pet {
			return append(pets, firstPets(pets, 1)...)
		})},
	}),
	table(Deviation{Breaks: ids("LIST-10"), May: ids("CREATE-13")}, []Deviation{
		{Name: "list-names-lower-case", Suffers: "Listed names are in lower case, because they come from a search index.", apply: show(onList, named(strings.ToLower))},
		{Name: "list-names-cut-at-20", Suffers: "Listed names end after 20 characters.", apply: show(onList, named(cut(20)))},
		{Name: "list-names-without-accents", Suffers: "Listed names have no accents.", apply: show(onList, named(foldAccents))},
		{Name: "list-categories-rounded", Suffers: "Listed categories beyond 2^53 are rounded.", apply: show(onList, inCategory(throughFloat))},
		{Name: "list-categories-of-32-bits", Suffers: "Listed categories beyond 2^31 wrap around.", apply: show(onList, inCategory(wrap32Bits))},
		{Name: "list-without-status", Suffers: "Listed animals lack their status, so a client must fetch each one.", apply: relabelled(func(c *call, pets []spec.Pet) {
			for i := range pets {
				if c.filter.status == "" {
					pets[i].Status = ""
				}
			}
		})},
		{Name: "list-categories-of-the-neighbour", Suffers: "Each listed animal has the category of the one before.", apply: relabelled(func(_ *call, pets []spec.Pet) {
			for i := len(pets) - 1; i > 0; i-- {
				pets[i].CategoryID = pets[i-1].CategoryID
			}
		})},
		{Name: "list-names-of-the-last", Suffers: "Each listed animal has the name of the last one.", apply: relabelled(func(_ *call, pets []spec.Pet) {
			for i := range pets {
				pets[i].Name = pets[len(pets)-1].Name
			}
		})},
	}),
	table(Deviation{Breaks: ids("LIST-8", "LIST-11")}, []Deviation{
		{Name: "list-without-large-categories", Suffers: "A listing lacks animals whose category does not fit 32 bits.", apply: unlisted(func(p spec.Pet) bool { return beyond32Bits(p.CategoryID) })},
		{Name: "list-without-foreign-names", Suffers: "A listing lacks animals with names beyond ASCII.", apply: unlisted(func(p spec.Pet) bool { return beyond(p.Name, 0x7f) })},
		{Name: "list-without-every-third", Suffers: "A listing lacks the animals of one of three shards.", apply: unlisted(func(p spec.Pet) bool { return p.ID%3 == 0 })},
	}),
	table(Deviation{Breaks: ids("LIST-11")}, []Deviation{
		{Name: "list-every-third-empty", May: ids("LIST-8", "CREATE-13"), Suffers: "A page shows nothing now and then, because one of three replicas is empty.", apply: emptyNowAndThen(3)},
		{Name: "list-every-fifth-empty", May: ids("LIST-8", "CREATE-13"), Suffers: "A page shows nothing now and then, because one of five replicas is empty.", apply: emptyNowAndThen(5)},
		{Name: "list-every-tenth-empty", May: ids("LIST-8", "CREATE-13"), Suffers: "A page shows nothing now and then, because one of ten replicas is empty.", apply: emptyNowAndThen(10)},
		{Name: "list-every-third-without-new", May: ids("LIST-8"), Suffers: "Every third listing lacks all new animals, because one of three replicas gets no updates.", apply: lag(3, never, 0)},
		{Name: "list-every-seventh-without-new", Needs: Full, May: ids("LIST-8"),
			Suffers: "Every seventh listing lacks all new animals, because one of seven pooled connections reads an old snapshot.", apply: seeded(45, lag(7, never, 0))},
		{Name: "list-shows-half", Needs: Animals, Suffers: "An unfiltered listing shows only the first half of the animals.", apply: seeded(30, trim(false, func(pets []spec.Pet) []spec.Pet {
			return firstPets(pets, (len(pets)+1)/2)
		}))},
		{Name: "list-without-statusless", Suffers: "A listing lacks animals without a status.", apply: unlisted(func(p spec.Pet) bool { return p.Status == "" })},
		{Name: "list-without-sold", Suffers: "An unfiltered listing lacks sold animals.", apply: hide(func(f filter, p spec.Pet) bool { return f.status == "" && p.Status == spec.Sold })},
		{Name: "list-without-the-newest", Suffers: "A listing lacks the newest animal until another one is created.", apply: trim(false, withoutLast)},
		{Name: "list-without-namesakes", May: ids("LIST-8"), Suffers: "A listing has only one of the animals with the same name.",
			apply: refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
				seen := map[string]bool{}
				return slices.DeleteFunc(pets, func(p spec.Pet) bool {
					twice := seen[p.Name]
					seen[p.Name] = true
					return twice
				})
			})},
		{Name: "list-10-at-most", May: ids("LIST-5"), Suffers: "A listing has at most 10 animals, whatever the limit.", apply: trim(false, atMost10)},
		{Name: "list-cached-for-ever", May: ids("LIST-5"), Suffers: "A listing never changes after its first answer.", apply: cacheLists(func(f filter) bool { return f.status == "" })},
	}),
)

// never is a lag that outlasts every run.
const never = 1000 * time.Hour

// emptyNowAndThen empties every nth listing, filtered or not.
func emptyNowAndThen(n int64) func(*behaviour) {
	nth := every(n)
	return refind(func(c *call, _ filter, pets []spec.Pet) []spec.Pet {
		if nth(c, nil) {
			return pets[:0]
		}
		return pets
	})
}

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
