package reference

import (
	"net/http"
	"strconv"

	"petconform/spec"
)

// broken makes a deviation that breaks the answers that w means as HTTP. w is made anew for each service. What those
// answers were to prove may be named too.
func broken(name, suffers string, w func() when, change func(*call, *answer), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids("SERVICE-3"), May: may, Suffers: suffers,
		apply: func(b *behaviour) { b.alter(ofOperations(w()), change) },
	}
}

// cutShort announces the whole body and sends half of it.
func cutShort(b *behaviour, w when) {
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
		// What is not flushed is lost with the connection.
		_ = http.NewResponseController(c.writer).Flush()
		panic(http.ErrAbortHandler)
	}
}

var transportDeviations = []Deviation{
	broken("closed-now-and-then", "Every eleventh request gets no answer at all.", func() when { return every(11) }, abort),
	broken("closed-on-empty-body", "An empty body ends the worker, and with it the connection.", just(func(c *call, _ *answer) bool {
		return c.operation == spec.CreatePet && len(c.body) == 0 && c.account != nil
	}), abort, "CREATE-11"),
	broken("closed-on-broken-json", "A body that cannot be parsed ends the connection.", just(func(c *call, a *answer) bool {
		return c.operation == spec.CreatePet && a.status == http.StatusBadRequest && len(c.body) > 0 && c.body[0] != '{'
	}), abort, "CREATE-11"),
	broken("closed-on-emoji", "A name that the database's character set lacks ends the connection.", just(func(c *call, _ *answer) bool {
		return c.operation == spec.CreatePet && beyond(c.draft.Name, 0xffff)
	}), abort, "CREATE-1", "CREATE-13"),
	broken("closed-on-unknown-animal", "A miss ends the connection instead of being answered.", just(func(c *call, a *answer) bool {
		return c.operation == spec.GetPet && a.status == http.StatusNotFound
	}), abort, "GET-3"),
	broken("closed-on-limit-100", "The largest listing takes too long for the proxy, which hangs up.", just(func(c *call, _ *answer) bool {
		return c.operation == spec.ListPets && c.filter.limit == spec.MaxLimit
	}), abort, "LIST-3"),
	broken("gzip-in-name-only", "The body is declared compressed and is not.", just(func(c *call, a *answer) bool {
		return c.operation == spec.ListPets && a.status == http.StatusOK
	}), func(c *call, _ *answer) { c.header.Set("Content-Encoding", "gzip") }, "SERVICE-2"),
	{
		Name: "cut-short-on-list", Breaks: ids("SERVICE-3"),
		Suffers: "Listings end in the middle; a client that ignores the length loses animals.",
		apply:   func(b *behaviour) { cutShort(b, on(spec.ListPets).and(succeeded)) },
	},
	{
		Name: "cut-short-on-create", Breaks: ids("SERVICE-3"),
		Suffers: "A client does not know whether its animal was created, and creates it again.",
		apply:   func(b *behaviour) { cutShort(b, having(http.StatusCreated)) },
	},
	{
		Name: "cut-short-on-errors", Breaks: ids("SERVICE-3"),
		Suffers: "The reason of a refusal ends in the middle.",
		apply:   func(b *behaviour) { cutShort(b, failed) },
	},
}
