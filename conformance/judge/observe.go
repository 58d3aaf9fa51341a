package judge

import (
	"cmp"
	"regexp"
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
	observer("create-open-status", "The status of an animal that is created without one", "CREATE-15",
		"status of an animal created without one", defaultStatus, "no animal was created without a status"),
	observer("list-open-order", "The order of a listing", "LIST-15",
		"order of the animals of a run in a listing", order, "no listing of more than two animals shows an order"),
	observer("list-open-pages", "How the pages beyond the first are reached", "LIST-16",
		"headers of a listing", pages, "no listing succeeded"),
}

// observer is a rule that observes one value, or nothing if that is "".
func observer(id, title string, asks spec.ID, key string, value func(*history.History) string, idle string) rules.Rule {
	return rules.Rule{ID: id, Title: title, Proves: []spec.ID{asks}, Idle: idle, Observe: func(h *history.History) []verdict.Observation {
		if v := value(h); v != "" {
			return []verdict.Observation{{Requirement: asks, Key: key, Value: v}}
		}
		return nil
	}}
}

func defaultStatus(h *history.History) string {
	for _, c := range h.Created() {
		if c.Sent.Kind == '{' && !c.Sent.Has("status") {
			got, _ := c.Answered.Status()
			return cmp.Or(string(got), "no status")
		}
	}
	return ""
}

// order compares neighbours in listings whose creations did not overlap. Ids are not compared, since they need not rise.
func order(h *history.History) string {
	made := map[string]exchange.Exchange{}
	for _, c := range h.Created() {
		made[c.Answered.ID] = c.Exchange.Exchange
	}
	delete(made, "")
	up, down := 0, 0
	for _, x := range h.All {
		pets, _ := x.Pets()
		own := slices.DeleteFunc(slices.Clone(pets), func(p history.Pet) bool { return made[p.ID].N == 0 })
		for i := 1; i < len(own); i++ {
			if a, b := made[own[i-1].ID], made[own[i].ID]; !a.Ended().After(b.Sent) {
				up++
			} else if !b.Ended().After(a.Sent) {
				down++
			}
		}
	}
	switch {
	case up+down < 3:
		return ""
	case down == 0:
		return "oldest first"
	case up == 0:
		return "newest first"
	}
	return "not by age"
}

// ofPages is in the names of headers that may lead to another page.
var ofPages = regexp.MustCompile(`(?i)link|total|page|cursor|next|content-range|count`)

// pages names the headers of listings that may lead to another page.
func pages(h *history.History) string {
	names, otherwise := []string{}, ""
	for _, x := range h.All {
		if x.Len() < 0 {
			continue
		}
		otherwise = "no header names a page"
		for name := range x.Response.Header {
			if ofPages.MatchString(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ", "), otherwise)
}
