package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// action is one request of a sequence. It refers to animals by their place, because the target assigns the ids.
type action struct {
	// creates says that it may create an animal, on a correct target or not; fetches that it calls getPet.
	creates, fetches bool
	// beside says that it is sent at the same time as the one before.
	beside bool
	// simpler may replace it when a sequence is shrunk; it may be nil.
	simpler *action
	// call makes the request. Its step is for the recording; that of a creation says which answer is expected. ok is
	// false if the action refers to an animal that does not exist.
	call func(w *world) (c client.Call, ok bool)
}

// The steps of creations. That of a body which must be refused is the requirement that an acceptance breaks.
const (
	mustCreate    = "create"
	withoutStatus = "create-without-status" // must be accepted too
	mayCreate     = "create-open"           // may be accepted or refused
)

// world is what actions refer to: the run, and the creations of one sequence that were answered with an animal.
type world struct {
	*explorer
	sequence string // the label of the sequence
	stems    int    // the names that it has made
	calls    []client.Call
	ids      []string
}

// note stores what a response shows.
func (w *world) note(c client.Call, x history.Exchange) {
	if p, ok := x.Pet(); ok && x.Operation == spec.CreatePet {
		w.calls = append(w.calls, c)
		if p.ID != "" {
			w.ids = append(w.ids, p.ID)
		}
	}
}

// back returns the last element but n.
func back[T any](all []T, n int) (last T, ok bool) {
	if n >= len(all) {
		return last, false
	}
	return all[len(all)-1-n], true
}

// post creates an animal with a body made of a template: %n is a name made from a stem that no other request has, %c
// the category of the run's animals.
func post(step, template string, name func(stem string) string) action {
	return action{creates: true, call: func(w *world) (client.Call, bool) {
		w.stems++
		quoted, _ := json.Marshal(name(stem(w.cfg.Meta.Run, w.sequence, w.stems)))
		body := strings.NewReplacer("%n", string(quoted), "%c", fmt.Sprint(w.category)).Replace(template)
		return client.Call{Step: step, Method: http.MethodPost, Path: "/pets", Auth: exchange.Key, Body: []byte(body),
			Header: http.Header{"Content-Type": {"application/json"}}}, true
	}}
}

// newPet creates a plain animal; without a status if it is "".
func newPet(status spec.PetStatus) action { return formed(mustCreate, forms[0], status, names[0]) }

func formed(step string, f form, status spec.PetStatus, name func(stem string) string) action {
	template := strings.ReplaceAll(f.with, "%s", strconv.Quote(string(status)))
	if status == "" {
		template = f.without
	}
	if status == "" && step == mustCreate {
		step = withoutStatus
	}
	return post(step, template, name)
}

// typed creates a plain animal with a declared media type. Whether it is accepted is open.
func typed(mediaType string) action {
	a := post(mayCreate, forms[0].without, names[0])
	a.call = changed(a.call, func(c *client.Call) { c.Header.Set("Content-Type", mediaType) })
	return a
}

// again sends an earlier creation of the sequence again, or its name in another category.
func again(n int, category *int64) action {
	return action{creates: true, call: func(w *world) (client.Call, bool) {
		c, ok := back(w.calls, n)
		c.Auth = exchange.Key
		if ok && category != nil {
			var sent spec.NewPet
			_ = json.Unmarshal(c.Body, &sent) // the body was accepted, so it is JSON
			c.Body, _ = json.Marshal(spec.NewPet{Name: sent.Name, CategoryID: *category, Status: spec.Available})
			c.Step = mayCreate
		}
		return c, ok
	}}
}

func listing(query string) action {
	a := action{call: func(*world) (client.Call, bool) { return read("list", "/pets?"+query), true }}
	if limit, _, both := strings.Cut(query, "&"); both {
		alone := listing(limit)
		a.simpler = &alone // a limit that is refused alone too is not the filter's fault
	}
	return a
}

// listJustAll lists with a limit equal to the number of animals.
func listJustAll() action {
	return action{call: func(w *world) (client.Call, bool) {
		return read("list-just-all", fmt.Sprintf("/pets?limit=%d", min(max(w.listed, spec.MinLimit), spec.MaxLimit))), true
	}}
}

func read(step, path string) client.Call {
	return client.Call{Step: step, Method: http.MethodGet, Path: strings.TrimSuffix(path, "?"), Auth: exchange.Key}
}

// fetch calls getPet.
func fetch(step string, id func(w *world) (string, bool)) action {
	return action{fetches: true, call: func(w *world) (client.Call, bool) {
		petID, ok := id(w)
		if !strings.Contains(petID, "%") { // those of the tables that need it are escaped already
			petID = url.PathEscape(petID)
		}
		return read(step, "/pets/"+petID), ok
	}}
}

func getID(step, id string) action {
	return fetch(step, func(*world) (string, bool) { return id, true })
}

// getOwn fetches an animal of the sequence; 0 is the last one.
func getOwn(n int) action {
	return fetch("get", func(w *world) (string, bool) { return back(w.ids, n) })
}

// anOlder is an animal of the run.
func anOlder(w *world, n int) (string, bool) {
	ids := w.older
	if len(ids) == 0 {
		return "1", false
	}
	return ids[(n*7+len(ids)/2)%len(ids)], true
}

func getOlder(n int) action {
	return fetch("get-older", func(w *world) (string, bool) { return anOlder(w, n) })
}

// getEarly fetches the id that a later creation gets if ids count up, and an unknown id if they do not. The last id is
// not always the highest: answers to simultaneous creations come in any order.
func getEarly(n int) action {
	return fetch("get-early", func(w *world) (string, bool) {
		var ids []int64
		for _, id := range w.older {
			if n, err := strconv.ParseInt(id, 10, 64); err == nil {
				ids = append(ids, n)
			}
		}
		if len(ids) == 0 {
			return "", false
		}
		most := slices.Max(ids)
		return strconv.FormatInt(most+1+int64(n), 10), most < 1<<62
	})
}

// unkeyed calls an operation without a valid key.
func unkeyed(auth exchange.Auth, o spec.Operation) action {
	a := listing("")
	switch o {
	case spec.CreatePet:
		a = newPet(spec.Available)
	case spec.GetPet:
		a = getOlder(0)
		older := a.call
		a.call = func(w *world) (client.Call, bool) { c, _ := older(w); return c, true } // the id 1 if there is none
	}
	a.call = changed(a.call, func(c *client.Call) { c.Step, c.Auth = "without-valid-key", auth })
	return a
}

func changed(call func(*world) (client.Call, bool), change func(*client.Call)) func(*world) (client.Call, bool) {
	return func(w *world) (client.Call, bool) {
		c, ok := call(w)
		change(&c)
		return c, ok
	}
}
