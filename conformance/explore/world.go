package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// world is the state of one execution of a sequence, to which actions refer.
type world struct {
	category int64
	// stem returns a name that no other request has.
	stem   func() string
	bodies [][]byte
	ids    []string
	// older are the ids of the whole run. there is the number of animals in the longest unfiltered listing.
	older []string
	there int
}

// call makes the request of an action. ok is false if the action refers to an animal that does not exist.
func (w *world) call(a action) (c client.Call, ok bool) {
	c = client.Call{Check: CheckID, Method: http.MethodGet, Path: "/pets", Auth: a.auth}
	switch a.kind {
	case create, wrong, openBody, typed:
		c.Body = w.body(a)
	case again:
		if a.back >= len(w.bodies) {
			return c, false
		}
		c.Body = w.bodies[len(w.bodies)-1-a.back]
		if a.category != nil {
			c.Body = namesake(c.Body, *a.category)
		}
	case list, listOpen:
		c.Path = withQuery(a.text)
	case listJust:
		c.Path = withQuery("limit=" + strconv.Itoa(min(max(w.there, spec.MinLimit), spec.MaxLimit)))
	case unkeyed:
		return w.unkeyedCall(c, a), true
	default:
		id, known := w.petID(a)
		if !known {
			return c, false
		}
		c.Path = "/pets/" + escaped(id)
	}
	if a.creates() {
		c.Method, c.Header = http.MethodPost, http.Header{"Content-Type": {"application/json"}}
	}
	if a.kind == typed {
		c.Header.Set("Content-Type", a.text)
	}
	return c, true
}

// namesake is a body with the same name in another category.
func namesake(body []byte, category int64) []byte {
	var sent struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(body, &sent) // the body was accepted, so it is JSON
	out, _ := json.Marshal(spec.NewPet{Name: sent.Name, CategoryID: category, Status: spec.Available})
	return out
}

func withQuery(q string) string {
	if q == "" {
		return "/pets"
	}
	return "/pets?" + q
}

func (w *world) unkeyedCall(c client.Call, a action) client.Call {
	switch a.operation {
	case spec.CreatePet:
		c.Method, c.Body = http.MethodPost, w.body(action{kind: create, status: spec.Available})
	case spec.GetPet:
		id, ok := w.petID(action{kind: getOlder})
		if !ok {
			id = "1"
		}
		c.Path = "/pets/" + escaped(id)
	default:
	}
	return c
}

func (w *world) petID(a action) (string, bool) {
	switch a.kind {
	case get:
		if a.back >= len(w.ids) {
			return "", false
		}
		return w.ids[len(w.ids)-1-a.back], true
	case getOlder:
		if len(w.older) == 0 {
			return "", false
		}
		return w.older[(a.back*7+len(w.older)/2)%len(w.older)], true
	case getEarly:
		// If ids count up, a later creation gets this id. Otherwise it is an unknown id.
		n, ok := highest(w.older)
		return strconv.FormatInt(n+1+int64(a.back), 10), ok && n < 1<<62
	}
	return a.text, true
}

// highest returns the largest of ids. It is not always the last one: answers to simultaneous creations come in any order.
func highest(ids []string) (most int64, ok bool) {
	for _, id := range ids {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil && (!ok || n > most) {
			most, ok = n, true
		}
	}
	return most, ok
}

// body fills in the template of an action.
func (w *world) body(a action) []byte {
	template, name := a.text, w.stem()
	if a.kind == typed {
		template = forms[0].without
	}
	if a.kind == create {
		template, name = forms[a.form].with, names[a.name](name)
		if a.status == "" {
			template = forms[a.form].without
		}
	}
	category := w.category
	if a.category != nil {
		category = *a.category
	}
	quoted, _ := json.Marshal(name)
	return []byte(strings.NewReplacer("%n", string(quoted), "%c", fmt.Sprint(category), "%s", strconv.Quote(string(a.status))).Replace(template))
}

// note stores what an answer shows.
func (w *world) note(a action, x history.Exchange) {
	if p, ok := x.Pet(); ok && x.Operation == spec.CreatePet {
		w.bodies = append(w.bodies, x.Request.Body)
		if p.ID != "" {
			w.ids, w.older = append(w.ids, p.ID), append(w.older, p.ID)
		}
	}
	if a.kind == list && x.Len() >= 0 {
		if _, filtered := x.Asked("status"); !filtered {
			w.there = max(w.there, x.Len())
		}
	}
}

// stems returns a function that makes the names petconform-<run>-x1, -x2 and so on.
func stems(run string) func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("petconform-%s-x%d", run, n)
	}
}

func auth(a action) exchange.Auth {
	if a.kind == unkeyed {
		return a.auth
	}
	return exchange.Key
}

// escaped escapes a petId for a path. Those of the tables that need it are escaped already.
func escaped(id string) string {
	if strings.Contains(id, "%") {
		return id
	}
	return url.PathEscape(id)
}
