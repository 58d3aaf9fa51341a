package reference

import (
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
)

// cutShort announces the whole body and sends half of it.
func cutShort(w when) func(*behaviour) {
	return func(b *behaviour) {
		write := b.write
		b.write = func(c *call, a answer) {
			if !w(c, &a) || len(a.body) < 2 {
				write(c, a)
				return
			}
			c.header["Content-Type"] = []string{a.mediaType}
			c.header["Content-Length"] = []string{strconv.Itoa(len(a.body))}
			c.writer.WriteHeader(a.status)
			_, _ = c.writer.Write(a.body[:len(a.body)/2])
			// net/http drops what is not flushed when the handler aborts.
			_ = http.NewResponseController(c.writer).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

var transportDeviations = table(Deviation{Breaks: ids("SERVICE-3")}, slices.Concat(closedRows, []Deviation{
	{Name: "gzip-in-name-only", May: ids("SERVICE-2"), Suffers: "A client fails to decompress a body that is declared gzip and is not.",
		apply: on(spec.ListPets).and(having(200)).then(func(c *call, _ *answer) { c.header.Set("Content-Encoding", "gzip") })},
	{Name: "cut-short-on-list", Suffers: "A listing ends in the middle; a client that ignores the length loses animals.", apply: cutShort(on(spec.ListPets).and(succeeded))},
	{Name: "cut-short-on-create", Suffers: "A client does not know whether its animal was created, and creates it again.", apply: cutShort(having(http.StatusCreated))},
	{Name: "cut-short-on-errors", Suffers: "An Error ends in the middle.", apply: cutShort(failed)},
}))

// closedRows close the connection. A run may also report what the missing answers were to prove.
var closedRows = []Deviation{
	{Name: "closed-now-and-then", Suffers: "Every eleventh request gets no answer.", apply: ofOperations.and(every(11)).then(abort)},
	{Name: "closed-on-empty-body", May: ids("CREATE-11"), Suffers: "An empty body gets no answer, because it ends the worker.",
		apply: on(spec.CreatePet).and(calls(func(c *call) bool { return len(c.body) == 0 && c.account != nil })).then(abort)},
	{Name: "closed-on-broken-json", May: ids("CREATE-11"), Suffers: "A body that is not JSON gets no answer.",
		apply: on(spec.CreatePet).and(having(400)).and(calls(func(c *call) bool { return len(c.body) > 0 && c.body[0] != '{' })).then(abort)},
	{Name: "closed-on-emoji", May: ids("CREATE-1", "CREATE-13"), Suffers: "A name with an emoji gets no answer.",
		apply: on(spec.CreatePet).and(calls(func(c *call) bool { return beyond(c.draft.Name, 0xffff) })).then(abort)},
	{Name: "closed-on-unknown-animal", May: ids("GET-3"), Suffers: "A petId without an animal gets no answer.", apply: on(spec.GetPet).and(having(404)).then(abort)},
	{Name: "closed-on-limit-100", May: ids("LIST-3"), Suffers: "The largest listing gets no answer, because the proxy times out.",
		apply: on(spec.ListPets).and(calls(func(c *call) bool { return c.filter.limit == spec.MaxLimit })).then(abort)},
}
