package plan

import (
	"net/http"
	"strings"
)

// Explored is the check of generated sequences. A generated sequence is rows in a random order, so that the step of each
// request ends in the check and the step of its row: "12/3 create-names/long" is the third request of sequence 12.
var Explored = Check{ID: "explore", Title: "Generated sequences of requests", Generated: true}

// Drawn are the rows that only generated sequences send, with values that are drawn: an animal with a name of any
// length, and with one that another has; a categoryId at the bounds of integers; a body that was accepted before; any
// limit and status; the sequence's own animals, and ids that are yet to come.
var Drawn = Check{ID: "drawn", Rows: []Row{
	pet("animal", `"{name}"`, "%c", "{status}"),
	pet("category", `"{name}"`, "{category}", "{status}").lenient(),
	pet("namesake", "{named}", "%c", "{status}"),
	post("again", "{made}", "CREATE-1", http.StatusCreated),
	list("no-limit", ""), list("limit", "limit={limit}"), list("status", "status={status}"), list("status-and-limit", "status={status}&limit={limit}"),
	get("mine", "{id}"), get("coming", "{id}"),
}}

// DrawnRow is one of the rows of Drawn, with values for words in it.
func DrawnRow(step string, values ...string) Request {
	r, _ := RowOf(Drawn.ID, step)
	draw := strings.NewReplacer(values...)
	r.Path, r.Body = draw.Replace(r.Path), draw.Replace(r.Body)
	return Request{Drawn.ID, r}
}
