package clients

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// parameter returns a rule that judges every value of a query parameter of listPets by the OpenAPI document.
func parameter(id spec.ID, name, expected string) func(history.Exchange) rules.Reading {
	return func(x history.Exchange) rules.Reading {
		if x.Operation != spec.ListPets {
			return notConcerned
		}
		r := notConcerned
		for _, v := range x.Query()[name] {
			if r = held; !spec.Admits(spec.Document(), spec.ListPets, name, v) {
				return broken(id, "the "+name+" of a listing", expected, name+"="+history.Clip(v, 60))
			}
		}
		return r
	}
}

// sentAsJSON reads the bodies; a request without one is bodyIsNewPet's.
func sentAsJSON(x history.Exchange) rules.Reading {
	if x.Operation != spec.CreatePet || len(x.Request.Body) == 0 {
		return notConcerned
	}
	field, sent := x.Request.Header.Get("Content-Type"), "no Content-Type"
	if t, _, err := mime.ParseMediaType(field); err == nil && t == "application/json" {
		return held
	}
	if field != "" {
		sent = "Content-Type: " + history.Clip(field, 80)
	}
	return broken("CLIENT-10", "the media type of a NewPet", "Content-Type: application/json", sent)
}

// bodyIsNewPet reads the bodies that were received whole, and says which it left out.
func bodyIsNewPet(h *history.History) (w rules.Whole) {
	var left []history.Exchange
	for _, x := range h.All {
		switch {
		case x.Operation != spec.CreatePet:
			continue
		case x.Request.Incomplete != "":
			left = append(left, x)
			continue
		}
		w.Of++
		if wrong := wrongIn(x); wrong != "" {
			w.Broken = append(w.Broken, finding("CLIENT-11", x, "the body of createPet",
				"a NewPet: name (string), categoryId (int64), and perhaps status (available, pending, sold)", wrong))
		}
	}
	if len(left) > 0 {
		w.Idle = fmt.Sprintf("%s not judged: %s (exchange %d)", spec.Count(len(left), "request"),
			left[0].Request.Incomplete, left[0].N)
		w.Evidence = fmt.Sprintf("held on %s of %s; %s", spec.Number(w.Of-len(w.Broken)), spec.Number(w.Of), w.Idle)
	}
	return w
}

// wrongIn says why a body is not a NewPet; "" if it is one, or if that is open: a status that is null, 7.0 and 1e2.
func wrongIn(x history.Exchange) string {
	if len(x.Request.Body) == 0 {
		return "no body"
	}
	sent := x.Posted()
	if sent.Malformed != nil {
		return "not JSON: " + sent.Malformed.Error()
	}
	members, _ := sent.Value.(map[string]any)
	for _, m := range spec.Match("NewPet", sent.Value) {
		if status, has := members["status"]; m.Member != "status" || !has || status != nil {
			return strings.TrimSpace(m.Member + " " + m.Reason)
		}
	}
	// The schema compares large numbers as a float64.
	if _, err := strconv.ParseInt(history.Whole(members["categoryId"]), 10, 64); err != nil {
		return "categoryId is " + history.KindOf(members["categoryId"]) + ", which is not an int64"
	}
	return ""
}

// petIDIsInt64 reads the petId of getPet. One that rounding made larger than an int64 is none.
func petIDIsInt64(x history.Exchange) rules.Reading {
	id := x.PetID()
	if x.Operation != spec.GetPet {
		return notConcerned
	}
	if _, err := strconv.ParseInt(id, 10, 64); err != nil || !spec.Admits(spec.Document(), spec.GetPet, "petId", id) {
		return broken("CLIENT-12", "a petId", "an int64", "the petId "+history.Clip(id, 60))
	}
	return held
}

// getPetUnused reads getPet and its replacement.
func getPetUnused(x history.Exchange) rules.Reading {
	switch x.Operation {
	case spec.ListPets:
		return held
	case spec.GetPet:
		return broken("CLIENT-14", "getPet is deprecated and is removed on "+spec.Removal.Format("2 January 2006"),
			"its replacement: GET /pets with the status filter", "getPet")
	}
	return notConcerned
}

// operationElsewhere is the path of an operation below another base address, or below a second v1.
var operationElsewhere = regexp.MustCompile(`^(?:/\.\.(?:/[^/]+)*|/v1)/(?:pets(?:/[^/]+)?|store/orders)$`)

// slashes are slashes too many, as of a base address and a path that were joined with a slash between them.
var slashes = regexp.MustCompile(`/{2,}`)

// meansOperation reports whether a request of no operation would be one at an address below the base, or with fewer slashes.
func meansOperation(method, path string) bool {
	plain := strings.TrimSuffix(slashes.ReplaceAllString(path, "/"), "/")
	asked := method == http.MethodGet || method == http.MethodPost
	return asked && operationElsewhere.MatchString(plain) || spec.OperationOf(method, plain) != spec.Elsewhere
}

// belowBase reads the calls, and the requests that would be calls below the base address. Other paths and methods are no operations.
func belowBase(x history.Exchange) rules.Reading {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	switch {
	case x.Named():
		return held
	case !meansOperation(x.Request.Method, path):
		return notConcerned
	}
	whole, _, _ := strings.Cut(x.WholePath(), "?")
	return broken("CLIENT-15", "an operation at another address", "a path below the base address, like /v1/pets",
		history.Clip(whole, 120))
}

// freedomsMet lists the lawful variants that the client met. Only the client's own tests can show how it handled them.
func (s *story) freedomsMet(*history.History) []verdict.Observation {
	if len(s.calls) == 0 || len(s.settings.Freedoms) == 0 {
		return nil
	}
	met := strings.Join(s.settings.Freedoms, ", ")
	return []verdict.Observation{{Requirement: "CLIENT-16", Key: "freedoms",
		Value: fmt.Sprintf("%s; %s of operations", met, spec.Count(len(s.calls), "request"))}}
}
