package checks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// createStatuses: a valid NewPet is answered 201, with each of the three statuses (Endpoints / createPet). The rules
// created-as-sent and created-is-kept judge what is returned.
var createStatuses = check.Check{
	ID: "create-statuses", Title: "createPet with each status", Operation: spec.CreatePet,
	Proves: "CREATE-1", Requests: 3, Creates: 3, After: []string{"list-all"},
	Send: func(s *check.Sender) {
		for _, status := range slices.Backward(spec.Statuses()) { // the first animal is a sold one, which getPet is asked for
			name := string(status) + strings.Repeat("x", len(spec.Available)-len(status)) // all as long, so that none is refused for its length
			s.Create(string(status), s.Pet(name, status))
		}
	},
	Judge: func(j *check.Judge) {
		for _, x := range j.Steps("") {
			created(j, x)
		}
	},
}

var createWithoutStatus = check.Check{
	ID: "create-without-status", Title: "createPet without a status", Operation: spec.CreatePet,
	Proves: "CREATE-14", Also: []spec.ID{"CREATE-15"}, Requests: 1, Creates: 1,
	Needs: []string{"create-statuses"},
	Send:  func(s *check.Sender) { s.Create("no-status", s.Pet("no-status", "")) },
	Judge: func(j *check.Judge) {
		x := j.Step("no-status")
		switch {
		case !j.Usable(x):
			return
		case x.Status() != 201 && x.Status() == last(j.History, "create-statuses").Status():
			j.UnsureFor(last(j.History, "create-statuses"), fmt.Sprintf("createPet with a status is answered %d too", x.Status()))
			return
		case refusedForItself(j.History, x) != "":
			j.Unsure(refusedForItself(j.History, x))
			return
		case !j.Status("CREATE-14", x, 201):
			return
		}
		if p, ok := x.Pet(); ok {
			value := "no status"
			if got, has := p.Status(); has {
				value = string(got)
			}
			j.Observe("CREATE-15", "status of an animal created without one", value)
		}
	},
}

// last is the last exchange of a check, or the zero exchange.
func last(h *history.History, id string) history.Exchange { return lastOf(h.Of(id)) }

func lastOf(all []history.Exchange) history.Exchange {
	if len(all) == 0 {
		return history.Exchange{}
	}
	return all[len(all)-1]
}

func lastStep(h *history.History, id, step string) history.Exchange {
	return lastOf(keepIf(h.Of(id), func(x history.Exchange) bool { return x.Step == step }))
}

// created expects a 201. The check is inconclusive if nothing was created and the category may not exist on the target,
// or if the target refuses animals from some time on, since the interface does not show whether there is a quota.
func created(j *check.Judge, x history.Exchange) bool {
	if why := refusedForItself(j.History, x); why != "" {
		j.Unsure(why)
		return false
	}
	if x.Status()/100 == 4 && BeyondAccepted(j.History, x.SentName()) {
		j.Unsure(fmt.Sprintf("exchange %d (%s) was refused, and its name is longer or shorter than every accepted name; the interface shows no limits on lengths", x.N, x.Step))
		return false
	}
	return j.Status("CREATE-1", x, 201)
}

// refusedForItself returns why a valid NewPet may be refused because of the target's data and not because of the
// request; "" if it may not.
func refusedForItself(h *history.History, x history.Exchange) string {
	if !x.Answered() || x.Response == nil || !x.IsJSON() {
		return ""
	}
	category, known := h.Category()
	all := h.Created()
	switch x.Status() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		if len(all) == 0 && (!known || h.Meta.CategoryID == 0 && strings.Contains(strings.ToLower(string(x.Response.Body)), "categor")) {
			return fmt.Sprintf("exchange %d: createPet returned %d, and category %d may not exist on the target; name one that exists with --category-id", x.N, x.Status(), category)
		}
	}
	switch x.Status() {
	case http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage:
		if n := len(all); n > 0 && !all[n-1].Exchange.Sent.After(x.Ended()) {
			return fmt.Sprintf("exchange %d: createPet returned %d, and no later one succeeded, after %s had been created; the target may have a quota: delete animals, or lower --max-creates",
				x.N, x.Status(), spec.Count(n, "animal"))
		}
	}
	return ""
}

// BeyondAccepted reports whether a name is longer or shorter than any that was accepted, in characters, bytes or UTF-16
// code units.
func BeyondAccepted(h *history.History, name string) bool {
	for _, length := range []func(string) int{utf8.RuneCountInString, func(s string) int { return len(s) },
		func(s string) int { return len(utf16.Encode([]rune(s))) }} {
		var accepted []int
		for _, c := range h.Created() {
			accepted = append(accepted, length(c.Sent.Name()))
		}
		if n := length(name); len(accepted) > 0 && (n > slices.Max(accepted) || n < slices.Min(accepted)) {
			return true
		}
	}
	return false
}

// createParallel creates nine animals at the same time, so that ids collide where they are not assigned atomically. The
// rule created-unique-ids compares them. Some bodies are written as other clients write JSON: with spaces, in another
// order, with escapes.
var createParallel = check.Check{
	ID: "create-parallel", Title: "createPet, nine at the same time", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"CREATE-17"}, Requests: parallelCreates, Creates: parallelCreates,
	// Every requirement has its first request before these reach MaxCreates.
	After: slices.Concat(Refusals, []string{getEarly.ID, "create-without-status", "create-category", "create-id"}),
	Send: func(s *check.Sender) {
		var all []check.Request
		for i := range parallelCreates {
			step := fmt.Sprintf("parallel-%d", i+1)
			p := s.Pet(step, spec.Statuses()[max(0, i-parallelCreates+3)])
			switch {
			case i < len(plainNames):
				p.Name = plainNames[i]
			case i == len(plainNames):
				p.Name = s.Name(string(spec.Available)) // two animals may have the same name
			}
			all = append(all, check.Create(step, p))
			switch i {
			case len(plainNames) + 1:
				all[i] = check.Post(step+"-spaces-and-order",
					fmt.Sprintf("{ \"status\" : %q,\n\t\"categoryId\": %d ,\r\n \"name\":%q }\n", p.Status,
						p.CategoryID, p.Name))
			case len(plainNames) + 2:
				all[i] = check.Post(step+"-escapes", fmt.Sprintf(`{"name":"%s\/\u0061","categoryId":%d,"st\u0061tus":%q}`, p.Name, p.CategoryID, p.Status))
			}
		}
		s.AtOnce(all)
	},
	Judge: func(j *check.Judge) {
		all := j.Steps("")
		slices.SortFunc(all, func(x, y history.Exchange) int { return strings.Compare(x.Step, y.Step) }) // they were sent in any order
		for _, x := range all {
			if refusedAsShort(j.History, x) {
				j.ObserveStatus("CREATE-17", fmt.Sprintf("the name %q", x.SentName()), x)
				j.Evidence("the name %q: refused with %d, as a short name may be", x.SentName(), x.Status())
				continue
			}
			created(j, x)
		}
	},
}

// refusedAsShort reports whether a plain name is refused and no shorter one, nor one of its length, is accepted: limits
// on lengths are not shown.
func refusedAsShort(h *history.History, x history.Exchange) bool {
	return x.Status()/100 == 4 && slices.Contains(plainNames, x.SentName()) && refusedForItself(h, x) == "" && BeyondAccepted(h, x.SentName())
}

const parallelCreates = 9

// Refusals are the checks whose requests have to be refused.
var Refusals = []string{"create-name-missing", "create-category-missing", "create-name-invalid", "create-category-invalid",
	"create-status-invalid", "create-body-invalid", "auth-missing-create", "auth-invalid-create", "auth-scheme-create", "auth-first-create"}

// plainNames are strings that a loosely typed language reads as false, as null, as a number or as a date, and one that
// shows whether a refused "0" is due to a limit on lengths.
var plainNames = []string{"0", "x", "null", "012345", "true", "2024-01-31"}
