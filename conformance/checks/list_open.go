package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// listOpen observes a limit that is out of range and an unknown status, whose responses are not shown. The rules hold
// for them: an error has the Error body, and a listing has at most 100 animals.
func listOpen() []check.Check {
	return []check.Check{
		listProbe("list-open-limit", "A limit that is out of range or not an integer", "LIST-13", values[string]{
			always: []string{"limit=101", "limit=abc", "limit=1&limit=2"},
			deep:   []string{"limit=0", "limit=" + strings.Repeat("9", longLimit)},
		}),
		listProbe("list-open-status", "A status outside the enumeration", "LIST-14", values[string]{
			always: []string{"status=verf%C3%BCgbar"}, // an error message may quote it
		}),
		listOrder,
		listPages,
	}
}

// longLimit is how many digits make a query longer than many servers read.
const longLimit = 9 << 10

func listProbe(id, title string, requirement spec.ID, queries values[string]) check.Check {
	step := func(query string) string {
		if len(query) > longLimit {
			return history.Clip(query, 20)
		}
		return query
	}
	return queries.sentBy(check.Check{
		ID: id, Title: title, Operation: spec.ListPets, Proves: requirement, After: []string{"create-statuses"}, Spare: true,
		Judge: func(j *check.Judge) {
			for _, x := range j.Beside("") {
				if j.Usable(x) {
					j.Observe(requirement, x.Step, listAnswer(x))
				}
			}
		},
	}, step, func(_ *check.Sender, q string) check.Request { return check.List(step(q), check.Query{Raw: q}) })
}

// listAnswer describes a response without its number of animals, so that releases can be compared on different stores.
func listAnswer(x history.Exchange) string {
	switch n := x.Len(); {
	case n == 0:
		return "200 with no animal"
	case n > 0:
		return "200 with animals"
	}
	return statusAndType(x)
}

func statusAndType(x history.Exchange) string {
	if t := x.MediaType(); t != "" {
		return fmt.Sprintf("%d %s", x.Status(), t)
	}
	return strconv.Itoa(x.Status())
}

// listOrder observes in which order listings have the animals of the run. Ids are not compared, since they need not
// rise.
var listOrder = check.Check{
	ID: "list-open-order", Title: "The order of a listing", Operation: spec.ListPets, Proves: "LIST-15",
	Last: true, Reads: true, Needs: []string{"list-created"},
	Judge: func(j *check.Judge) {
		long := func(x history.Exchange) bool { return x.Len() > 2 }
		if !slices.ContainsFunc(j.History.Of("list-created"), long) {
			j.Unsure("no listing of more than two animals shows an order")
		} else if order := orderOf(j.History); order != "" {
			j.Observe("LIST-15", "order of the animals of a run in a listing", order)
		}
	},
}

// orderOf compares neighbours in listings whose creations did not overlap. It returns "" if there are too few.
func orderOf(h *history.History) string {
	made := map[string]exchange.Exchange{}
	for _, c := range h.Created() {
		made[c.Answered.ID] = c.Exchange.Exchange
	}
	delete(made, "")
	up, down, named := 0, 0, true
	for _, x := range h.All {
		pets, _ := x.Pets()
		own := slices.DeleteFunc(slices.Clone(pets), func(p history.Pet) bool { return made[p.ID].N == 0 })
		for i := 1; i < len(own); i++ {
			a, b := made[own[i-1].ID], made[own[i].ID]
			switch {
			case a.Ended().Before(b.Sent):
				up++
			case b.Ended().Before(a.Sent):
				down++
			}
			named = named && own[i-1].Name() <= own[i].Name()
		}
	}
	switch {
	case up+down < 3:
		return ""
	case named:
		return "by name"
	case down == 0:
		return "oldest first"
	case up == 0:
		return "newest first"
	}
	return "neither by age nor by name"
}

var listPages = check.Check{
	ID: "list-open-pages", Title: "How the pages beyond the first are reached", Operation: spec.ListPets, Proves: "LIST-16",
	Last: true, Reads: true, Needs: []string{"list-created"},
	Judge: func(j *check.Judge) {
		var names []string
		listed := false
		for _, x := range j.History.All {
			if x.Len() < 0 {
				continue
			}
			listed = true
			for name := range x.Response.Header {
				lower := strings.ToLower(name)
				if slices.ContainsFunc([]string{"link", "total", "page", "cursor", "next", "range", "count"}, func(w string) bool {
					return strings.Contains(lower, w) && !strings.Contains(lower, "accept") && !strings.HasPrefix(lower, "x-ratelimit")
				}) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if !listed {
			j.Unsure("no listing succeeded")
			return
		}
		slices.Sort(names)
		value := strings.Join(names, ", ")
		if value == "" {
			value = "no header names a page"
		}
		j.Observe("LIST-16", "headers of a listing", value)
	},
}
