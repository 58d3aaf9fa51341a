package compare

import (
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

// byPairs are questions whose observation depends on the animals of a target or on the requests of a run. This package answers
// them in another way.
var byPairs = []spec.ID{"LIST-15", "ERROR-6"}

// asked returns the answers of a run to all questions that do not depend on the target's animals, ids and clock.
func asked(r verdict.Results, h *history.History) []verdict.Observation {
	var all []verdict.Observation
	for _, o := range r.Observations {
		if !slices.Contains(byPairs, o.Requirement) {
			all = append(all, o)
		}
	}
	add := func(requirement spec.ID, question, value string) {
		if value != "" {
			all = append(all, verdict.Observation{Requirement: requirement, Key: question, Value: value})
		}
	}
	add("LIST-15", "order of the animals of a run in a listing", listOrder(h))
	add("", "members of a Pet beyond the interface", extraMembers(ownPets(h), "id", "name", "categoryId", "status"))
	add("", "members of an Error beyond the interface", extraMembers(errorBodies(h), "code", "message", "status"))
	add("", "media type of a success", mediaType(h))
	add("RATE-18", "X-RateLimit-Limit with the key", limit(h))
	add("RATE-18", "time to X-RateLimit-Reset", resetsWithin(h))
	add("RATE-17", "X-RateLimit-Remaining with the key", remaining(h))
	add("", "form of Retry-After", retryAfter(h))
	add("", "challenge of a 401", challenge(h))
	return all
}

// keyed returns the complete responses of operations to a valid key, except 429.
func keyed(h *history.History) []history.Exchange {
	var out []history.Exchange
	for _, x := range h.All {
		if x.Answered() && x.Named() && x.Auth.Valid() && !x.Limited() {
			out = append(out, x)
		}
	}
	return out
}

// listOrder says in which order listings have the animals of the run whose creations did not overlap.
func listOrder(h *history.History) string {
	made := map[string]exchange.Exchange{}
	for _, c := range h.Created() {
		if c.Answered.ID != "" {
			made[c.Answered.ID] = c.Exchange.Exchange
		}
	}
	var up, down, sorted, unsorted int
	for _, x := range h.All {
		pets, ok := x.Pets()
		if !ok {
			continue
		}
		var own []history.Pet
		for _, p := range pets {
			if _, ours := made[p.ID]; ours {
				own = append(own, p)
			}
		}
		for i := 1; i < len(own); i++ {
			a, b := made[own[i-1].ID], made[own[i].ID]
			switch {
			case a.Ended().Before(b.Sent):
				up++
			case b.Ended().Before(a.Sent):
				down++
			}
			if own[i-1].Name() <= own[i].Name() {
				sorted++
			} else {
				unsorted++
			}
		}
	}
	switch {
	case up+down < 3:
		return ""
	case unsorted == 0:
		return "by name"
	case down == 0:
		return "oldest first"
	case up == 0:
		return "newest first"
	}
	return "neither by age nor by name"
}

func ownPets(h *history.History) []map[string]any {
	var all []map[string]any
	for _, c := range h.Created() {
		all = append(all, c.Answered.Members)
	}
	return all
}

func errorBodies(h *history.History) []map[string]any {
	var all []map[string]any
	for _, x := range h.All {
		if body, ok := x.Value.(map[string]any); ok && x.Answered() && x.Named() && x.IsError() {
			all = append(all, body)
		}
	}
	return all
}

// extraMembers names the members that the interface does not.
func extraMembers(all []map[string]any, known ...string) string {
	if len(all) == 0 {
		return ""
	}
	names := map[string]bool{}
	for _, object := range all {
		for name := range object {
			if !slices.Contains(known, name) {
				names[name] = true
			}
		}
	}
	return orNone(names)
}

func orNone(names map[string]bool) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

func mediaType(h *history.History) string {
	forms := map[string]bool{}
	for _, x := range keyed(h) {
		if x.Status()/100 == 2 && x.Operation != spec.StoreOrders {
			forms[x.Response.Header.Get("Content-Type")] = true
		}
	}
	delete(forms, "")
	return strings.Join(slices.Sorted(maps.Keys(forms)), ", ")
}

func allowances(h *history.History) (all []exchange.Allowance, at []history.Exchange) {
	for _, x := range keyed(h) {
		if a, ok := exchange.AllowanceOf(x.Response.Header); ok {
			all, at = append(all, a), append(at, x)
		}
	}
	return all, at
}

func limit(h *history.History) string {
	all, _ := allowances(h)
	if len(all) == 0 {
		return ""
	}
	for _, a := range all {
		if a.Limit != all[0].Limit {
			return "it changes during the run"
		}
	}
	return spec.Number(int(all[0].Limit))
}

// ofDay is the time to X-RateLimit-Reset from which on the window is taken for the day's, not the minute's.
const ofDay = 2 * time.Minute

func resetsWithin(h *history.History) string {
	all, at := allowances(h)
	if len(all) == 0 {
		return ""
	}
	for i, a := range all {
		if a.Reset.Sub(exchange.ServerTime(at[i].Response.Header, at[i].Received())) > ofDay {
			return "more than 2 min"
		}
	}
	return "up to 2 min"
}

// toTell is the number of responses from which on a Remaining that never falls is reported.
const toTell = 10

func remaining(h *history.History) string {
	all, _ := allowances(h)
	if len(all) < toTell {
		return ""
	}
	for _, a := range all {
		if a.Remaining < a.Limit {
			return "it goes down"
		}
	}
	return "it stays at the limit"
}

func retryAfter(h *history.History) string {
	forms := map[string]bool{}
	for _, x := range h.All {
		if x.Response == nil || !x.Limited() {
			continue
		}
		if v := x.Response.Header.Get(spec.HeaderRetryAfter); strings.Trim(v, "0123456789") == "" {
			forms["seconds"] = true
		} else {
			forms["a date"] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(forms)), ", ")
}

// ownQuestion are headers that belong to another question, or whose presence depends on the size of a body or on the connection.
var ownQuestion = []string{"Location", "Link", "Deprecation", "Sunset", "Retry-After", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"}

// headersSent returns the names of the headers that the target sends. Their values are not compared.
func headersSent(h *history.History) map[string]bool {
	sent := map[string]bool{}
	for _, x := range h.All {
		if x.Answered() && x.Named() {
			for name := range x.Response.Header {
				sent[name] = true
			}
		}
	}
	for _, name := range ownQuestion {
		delete(sent, name)
	}
	return sent
}

func challenge(h *history.History) string {
	all := map[string]bool{}
	for _, x := range h.All {
		if x.Answered() && x.Named() && x.Status() == http.StatusUnauthorized {
			all[strings.Join(x.Response.Header.Values("Www-Authenticate"), ", ")] = true
		}
	}
	delete(all, "")
	return strings.Join(slices.Sorted(maps.Keys(all)), "; ")
}
