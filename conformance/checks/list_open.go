package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// listOpen observes a limit that is out of range and an unknown status, whose responses are not shown. The rules hold for them: an
// error has the Error body, and a listing has at most 100 animals.
func listOpen() []check.Check {
	return []check.Check{
		listProbe("list-open-limit", "A limit that is out of range or not an integer", "LIST-13",
			"limit=0", "limit=101", "limit=abc"),
		listProbe("list-open-status", "A status outside the enumeration", "LIST-14", "status=unheard-of"),
		listOrder,
		listPages,
	}
}

func listProbe(id, title string, requirement spec.ID, queries ...string) check.Check {
	return check.Check{
		ID: id, Title: title, Operation: spec.ListPets, Proves: requirement, Requests: len(queries),
		After: []string{"create-statuses"}, Spare: true,
		Send: func(s *check.Sender) {
			var all []func()
			for _, q := range queries {
				all = append(all, func() { s.List(q, check.Query{Raw: q}) })
			}
			s.Concurrently(all...)
		},
		Judge: func(j *check.Judge) {
			for _, q := range queries {
				if x := j.Step(q); x.N > 0 && j.Usable(x) {
					j.Observe(requirement, x.Step, listAnswer(x))
				}
			}
		},
	}
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

// listOrder observes the order of a listing. It reads what list-created has listed.
var listOrder = check.Check{
	ID: "list-open-order", Title: "The order of a listing", Operation: spec.ListPets, Proves: "LIST-15",
	Last: true, Reads: true, Needs: []string{"list-created"},
	Judge: func(j *check.Judge) {
		for _, x := range slices.Backward(j.History.Of("list-created")) {
			if pets, ok := x.Pets(); ok && len(pets) > 2 {
				j.Observe("LIST-15", "by id", orderOf(pets))
				return
			}
		}
		j.Unsure("no listing of more than two animals shows an order")
	},
}

func orderOf(pets []history.Pet) string {
	up, down := true, true
	for i := 1; i < len(pets); i++ {
		a, _ := strconv.ParseInt(pets[i-1].ID, 10, 64)
		b, _ := strconv.ParseInt(pets[i].ID, 10, 64)
		up, down = up && a < b, down && a > b
	}
	switch {
	case up:
		return "ascending"
	case down:
		return "descending"
	}
	return "neither ascending nor descending"
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
