package compare

import (
	"cmp"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// question is what is compared of the responses of two targets. The requirement is empty if the ledger has no entry for
// it.
type question struct {
	requirement spec.ID
	text        string
}

// forms are the forms in which the responses of a target answer questions that no check asks, whatever its animals, ids
// and clock are.
type forms map[question]map[string]bool

func (f forms) add(requirement spec.ID, text string, values ...string) {
	q := question{requirement, text}
	if f[q] == nil {
		f[q] = map[string]bool{}
	}
	for _, v := range values {
		f[q][v] = true
	}
}

// ownQuestion are headers that belong to another question, or whose presence depends on the size of a body or on the
// connection.
var ownQuestion = []string{"Location", "Link", "Deprecation", "Sunset", "Retry-After", "Content-Length",
	"Transfer-Encoding", "Connection", "Keep-Alive"}

// ofDay is the time to X-RateLimit-Reset from which on the window is taken for the day's, not the minute's.
const ofDay = 2 * time.Minute

func formsOf(h *history.History) forms {
	f := forms{}
	for _, x := range h.All {
		if x.Response == nil || !x.Named() {
			continue
		}
		header := x.Response.Header
		if x.Limited() {
			form := "a date"
			if strings.Trim(header.Get(spec.HeaderRetryAfter), "0123456789") == "" {
				form = "seconds"
			}
			f.add("", "form of Retry-After", form)
		}
		if !x.Answered() {
			continue
		}
		f.add("", "headers that only one of the two sends", without(maps.Keys(header), ownQuestion...)...)
		object, _ := x.Value.(map[string]any)
		switch {
		case x.Status() == http.StatusCreated:
			f.add("", "members of a Pet beyond the interface", without(maps.Keys(object), "id", "name", "categoryId", "status")...)
		case x.IsError() && object != nil:
			f.add("", "members of an Error beyond the interface", without(maps.Keys(object), "code", "message", "status")...)
		}
		if challenge := header.Values("Www-Authenticate"); x.Status() == http.StatusUnauthorized && len(challenge) > 0 {
			f.add("", "challenge of a 401", strings.Join(challenge, ", "))
		}
		if !x.Auth.Valid() || x.Limited() {
			continue
		}
		if kind := header.Get("Content-Type"); kind != "" && x.Status()/100 == 2 && x.Operation != spec.StoreOrders {
			f.add("", "media type of a success", kind)
		}
		if a, ok := exchange.AllowanceOf(header); ok {
			within := "up to 2 min"
			if a.Reset.Sub(exchange.ServerTime(header, x.Received())) > ofDay {
				within = "more than 2 min"
			}
			f.add("RATE-18", "time to X-RateLimit-Reset", within)
			f.add("RATE-18", "X-RateLimit-Limit with the key", spec.Number(a.Limit))
			f.add("RATE-17", "X-RateLimit-Remaining below X-RateLimit-Limit")
			if a.Remaining < a.Limit {
				f.add("RATE-17", "X-RateLimit-Remaining below X-RateLimit-Limit", "seen")
			}
		}
	}
	return f
}

// unlike returns the questions that both answer, with the forms that only one of the two has.
func (f forms) unlike(other forms) []verdict.Answers {
	var out []verdict.Answers
	for q, mine := range f {
		yours := other[q]
		here := without(maps.Keys(mine), slices.Collect(maps.Keys(yours))...)
		there := without(maps.Keys(yours), slices.Collect(maps.Keys(mine))...)
		if yours != nil && len(here)+len(there) > 0 {
			out = append(out, verdict.Answers{Requirement: q.requirement, Question: q.text, Here: orNone(here), There: orNone(there)})
		}
	}
	return out
}

// without returns the names that are not among others, sorted.
func without(names iter.Seq[string], others ...string) []string {
	return slices.DeleteFunc(slices.Sorted(names), func(name string) bool { return slices.Contains(others, name) })
}

func orNone(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
