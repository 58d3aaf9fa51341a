package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

// leftBehind: a request that was refused has no effect. Every one of them carries a name of its own, so what it leaves behind
// is known by it, in whatever listing it turns up. In a store too large to look through, a filter shows a smaller part.
var leftBehind = Check{
	ID: "create-refused-leaves-nothing", Title: "A refused createPet leaves nothing behind", Operation: spec.CreatePet,
	Proves: []spec.ID{"CREATE-12", "AUTH-6"}, Last: true, Reads: true,
	After: []string{"create-name-missing", "create-category-missing", "create-name-invalid", "create-category-invalid",
		"create-status-invalid", "create-body-invalid", "auth-missing-create", "auth-invalid-create", "auth-scheme-create", listedCreated.ID},
	Send: func(s *Sender) {
		if room(s.Sent(listedCreated.ID)) {
			return // list-created has just looked through the whole store
		}
		if x := everything(s, "all"); x.Len() < spec.MaxLimit {
			return
		}
		for _, status := range spec.Statuses() {
			s.List(string(status), Query{Limit: "100", Status: string(status)})
		}
	},
	Judge: func(j *Judge) {
		refused := refusedCreates(j.History)
		if len(refused) == 0 {
			j.Unsure("no createPet was refused")
			return
		}
		found, whole := false, false
		for _, x := range j.History.All {
			whole = whole || x.Step == "all" && room([]history.Exchange{x})
			for _, p := range readPets(x) {
				if by, ok := refused[p.Name()]; ok && by.N < x.N {
					found = true
					id := spec.ID("CREATE-12")
					if by.Status() == http.StatusUnauthorized {
						id = "AUTH-6"
					}
					delete(refused, p.Name())
					j.Find(id, x, fmt.Sprintf("what the createPet of exchange %d (%s, %s) left behind; it was answered %d", by.N, by.Check, by.Step, by.Status()),
						"no animal", fmt.Sprintf("animal %s, %q", p.ID, p.Name()))
				}
			}
		}
		if !found && !whole {
			j.Unsure("the store has 100 animals or more, so that one that was left behind may stand on a later page")
		}
		j.Evidence("%d refused requests, none of their names among the animals", len(refused))
	},
}

// room says whether the last of some listings with limit=100 has room left, so that it shows the whole store.
func room(listings []history.Exchange) bool {
	if len(listings) == 0 {
		return false
	}
	x := listings[len(listings)-1]
	limit, _ := x.Asked("limit")
	return limit == "100" && x.Len() >= 0 && x.Len() < spec.MaxLimit && !continues(x)
}

// refusedCreates gives the refused createPet requests by the name that each carried. A name that another request was
// rightly accepted with is left out.
func refusedCreates(h *history.History) map[string]history.Exchange {
	out := map[string]history.Exchange{}
	for _, x := range h.All {
		if x.Operation != spec.CreatePet || !x.Answered() || x.Status()/100 != 4 {
			continue
		}
		if name := nameIn(x); name != "" {
			out[name] = x
		}
	}
	for _, c := range h.Created() {
		delete(out, c.Sent.Name())
	}
	return out
}

// nameIn finds the run's own name in a body, also in one that is not JSON.
func nameIn(x history.Exchange) string {
	body := string(x.Request.Body)
	at := strings.Index(body, `"petconform-`)
	if at < 0 {
		return ""
	}
	var name string
	if json.NewDecoder(strings.NewReader(body[at:])).Decode(&name) != nil {
		return ""
	}
	return name
}
