package judge

import (
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// observers read what the interface leaves open from the whole run.
var observers = []rules.Rule{
	{ID: "create-open-status", Title: "The status of an animal that is created without one", Proves: []spec.ID{"CREATE-15"},
		Observe: defaultStatus, Idle: "no animal was created without a status"},
	{ID: "create-open-location", Title: "Whether a 201 has a Location header", Proves: []spec.ID{"CREATE-21"},
		Observe: location, Idle: "no animal was created"},
	{ID: "list-open-order", Title: "The order of a listing", Proves: []spec.ID{"LIST-15"},
		Observe: order, Idle: "no listing of more than two animals shows an order"},
	{ID: "list-open-pages", Title: "How the pages beyond the first are reached", Proves: []spec.ID{"LIST-16"},
		Observe: pages, Idle: "no listing succeeded"},
}

func observed(id spec.ID, key, value string) []verdict.Observation {
	return []verdict.Observation{{Requirement: id, Key: key, Value: value}}
}

func defaultStatus(h *history.History) []verdict.Observation {
	for _, c := range h.Created() {
		if c.Sent.Members == nil || c.Sent.Has("status") {
			continue
		}
		value := "no status"
		if got, has := c.Answered.Status(); has {
			value = string(got)
		}
		return observed("CREATE-15", "status of an animal created without one", value)
	}
	return nil
}

func location(h *history.History) []verdict.Observation {
	all := h.Created()
	switch {
	case len(all) == 0:
		return nil
	case all[0].Exchange.Response.Header.Get("Location") != "":
		return observed("CREATE-21", "Location of a 201", "sent")
	}
	return observed("CREATE-21", "Location of a 201", "not sent")
}

// order compares neighbours in listings whose creations did not overlap. Ids are not compared, since they need not rise.
func order(h *history.History) []verdict.Observation {
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
			case !a.Ended().After(b.Sent):
				up++
			case !b.Ended().After(a.Sent):
				down++
			}
			named = named && own[i-1].Name() <= own[i].Name()
		}
	}
	const key = "order of the animals of a run in a listing"
	switch {
	case up+down < 3:
		return nil
	case named:
		return observed("LIST-15", key, "by name")
	case down == 0:
		return observed("LIST-15", key, "oldest first")
	case up == 0:
		return observed("LIST-15", key, "newest first")
	}
	return observed("LIST-15", key, "neither by age nor by name")
}

// pages names the headers of listings that may lead to another page.
func pages(h *history.History) []verdict.Observation {
	var names []string
	listed := false
	for _, x := range h.All {
		if x.Len() < 0 {
			continue
		}
		listed = true
		for name := range x.Response.Header {
			lower := strings.ToLower(name)
			speaks := slices.ContainsFunc([]string{"link", "total", "page", "cursor", "next", "range", "count"}, func(word string) bool {
				return strings.Contains(lower, word)
			})
			if speaks && !strings.Contains(lower, "accept") && !strings.HasPrefix(lower, "x-ratelimit") && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if !listed {
		return nil
	}
	slices.Sort(names)
	value := strings.Join(names, ", ")
	if value == "" {
		value = "no header names a page"
	}
	return observed("LIST-16", "headers of a listing", value)
}
