package plan

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// The sizes of a run.
const (
	// QuickRequests is the largest number of requests of a quick run on a lawful service, and QuickWhenLagging that on
	// one with a replica that lags.
	QuickRequests    = 125
	QuickWhenLagging = 140
	// FullRequests is about how many requests a full run sends, generated sequences included, and MostRequests is the
	// largest number.
	FullRequests = 1000
	MostRequests = 1100
)

// Sent returns the checks with those ids that a run sends, those that they need, and the first of every run, in the order
// of All. A quick run leaves out those that have full rows alone, and a read-only one those that may create an animal.
func Sent(ids []string, full, readOnly bool) []Check {
	wanted := map[string]bool{}
	var want func(id string)
	want = func(id string) {
		if c, known := Find(id); known && !wanted[id] {
			wanted[id] = true
			for _, need := range c.Needs {
				want(need)
			}
		}
	}
	for _, id := range append([]string{all[0].ID}, ids...) {
		want(id)
	}
	return slices.DeleteFunc(All(), func(c Check) bool {
		ofFull := len(c.Rows) > 0 && !slices.ContainsFunc(c.Rows, func(r Row) bool { return !r.Full })
		return !wanted[c.ID] || readOnly && c.Writes() || ofFull && !full
	})
}

// Count is how many requests the checks send to a lawful service that has animals, and how many animals they create.
func Count(checks []Check, full bool) (requests, creates int) {
	for _, c := range checks {
		rows := c.Rows
		if c.More != nil {
			rows = append(slices.Clone(rows), c.Like)
		}
		for _, r := range rows {
			if r.Full && !full {
				continue
			}
			if requests++; r.Creates() {
				creates++
			}
		}
	}
	if !full {
		requests = min(requests, QuickRequests)
	}
	return requests, creates
}

// Request is a row of a check.
type Request struct {
	Check string
	Row
}

// Name names the request among those of a run.
func (q Request) Name() string { return q.Check + "/" + q.Step }

// Failed returns the rows that failed, taken apart. Of one that may be refused for an odd thing, these are the parts that may
// not be, which are sent if there is room. Where a createPet may have been refused because the store is full, it
// returns one more: if that succeeds, the store was not.
func (s *State) Failed(checks []Check) (apart []Request) {
	var full []Request
	for _, c := range checks {
		for _, x := range s.Of(c.ID) {
			r, _ := RowOf(c.ID, x.Step)
			if !x.Answered() || x.Limited() || !r.Fails(x.Status()) {
				continue
			}
			why := Tolerated(s.History, r, x)
			for _, one := range r.Apart {
				if one.Spare = why.Decides; why.Reason == "" || why.Decides && !one.Lenient {
					apart = append(apart, Request{c.ID, one})
				}
			}
			if why.Reason != "" && !why.Decides && len(s.Created()) > 0 {
				full = []Request{later(c.ID, x.Step)}
			}
		}
	}
	return append(apart, full...)
}

// Call makes the request of a row. It replaces in the path and the body:
//
//	%n            the name of the animal, as a JSON string: of the run, and of this row alone
//	%r, %R        the name of the run, in small and in capital letters
//	%c            a category that exists
//	{check/step}  the id of the animal that this row created
//	{word}        what values has for the word
//
// known is false where the run does not know such a value, so that there is nothing to send.
func (s *State) Call(check string, r Row) (call client.Call, known bool) {
	category, _ := s.Category()
	run := s.Meta.Run
	replace := strings.NewReplacer("%n", quoted(fmt.Sprintf("petconform-%s-%s-%s", run, check, r.Step)), "%r", run,
		"%R", strings.ToUpper(run), "%c", strconv.FormatInt(category, 10))
	known = true
	fill := func(text string) string {
		return inBraces.ReplaceAllStringFunc(replace.Replace(text), func(braced string) string {
			value, is := s.value(strings.Trim(braced, "{}"))
			if !is {
				return braced
			}
			known = known && value != ""
			return value
		})
	}
	call = client.Call{Check: check, Step: r.Step, Method: cmp.Or(r.Method, http.MethodGet), Path: fill(r.Path),
		Auth: cmp.Or(r.Auth, exchange.Key), Header: r.Header}
	if r.Writes() {
		call.Body = []byte(fill(r.Body))
	}
	return call, known
}

// inBraces is a word that State.Call replaces.
var inBraces = regexp.MustCompile(`\{[a-z][a-z0-9^-]*(/[a-z0-9^-]+)?\}`)

// The words in the steps of requests that the tables don't have: of a read that is sent again, of the getPet of any
// animal, and of a createPet after one that was refused.
const again, ofAnimal, afterRefused = ", again ", "animal ", "after "

// Again is the step of a read that is sent once more, for the n-th time.
func Again(step string, n int) string { return fmt.Sprint(Asked(step), again, n) }

// Asked is the step of a read as it was sent first.
func Asked(step string) string {
	asked, _, _ := strings.Cut(step, again)
	return asked
}

// Animal is the getPet that a run of any size sends for an animal that a listing lacks.
func Animal(id string) Request { return Request{"get-existing", get(ofAnimal+id, id)} }

// WholeStore lists all that was created, where no other listing shows it.
var WholeStore = Request{"list-created", Row{Step: "all", Path: "/pets?limit=100"}}

// later is a plain createPet after one of the check that was refused: only a full store refuses it too.
func later(check, refused string) Request {
	return Request{check, pet(afterRefused+refused, "%n", "%c", spec.Available)}
}

// RowOf returns the row that an exchange was sent for. A request of a generated sequence has the check and the step of
// its row after its place in the sequence; a read that was sent again has a number after its step.
func RowOf(check, step string) (Row, bool) {
	c, known := catalogue()[check]
	if c.Generated {
		_, of, _ := strings.Cut(step, " ")
		check, step, _ = strings.Cut(of, "/")
		c, known = catalogue()[check]
	}
	if !known {
		return Row{}, false
	}
	step = Asked(step)
	r, known := rowsByName()[check+"/"+step]
	id, animal := strings.CutPrefix(step, ofAnimal)
	refused, after := strings.CutPrefix(step, afterRefused)
	switch {
	case known:
		return r, true
	case animal:
		return Animal(id).Row, true
	case after:
		return later(check, refused).Row, true
	}
	r = c.Like
	r.Step = step
	return r, c.More != nil
}

// Find returns the check with an id.
func Find(id string) (Check, bool) {
	c, ok := catalogue()[id]
	return c, ok && !c.Generated
}

// Generated reports whether the seed chooses the requests of a check.
func Generated(check string) bool { return catalogue()[check].Generated }

var catalogue = sync.OnceValue(func() map[string]Check {
	by := map[string]Check{}
	for _, c := range append(All(), Explored, Drawn) {
		by[c.ID] = c
	}
	return by
})

// rowsByName has every row, also those that others are taken apart into.
var rowsByName = sync.OnceValue(func() map[string]Row {
	by := map[string]Row{}
	for _, c := range catalogue() {
		for _, r := range c.Rows {
			for _, one := range append([]Row{r}, r.Apart...) {
				by[Request{c.ID, one}.Name()] = one
			}
		}
	}
	return by
})
