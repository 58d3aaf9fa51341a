package clients

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// calls selects the requests of operations.
func calls(operations ...spec.Operation) func(history.Exchange) bool {
	return func(x history.Exchange) bool { return slices.Contains(operations, x.Operation) }
}

// parameter is a rule on every value of a query parameter of listPets.
func parameter(id, title string, proves spec.ID, name, expected string, valid func(string) bool) rules.Rule {
	asked := func(x history.Exchange) bool { return x.Operation == spec.ListPets && x.Query().Has(name) }
	return rules.One(id, title, proves, asked, "the "+name+" of a listing", expected, func(x history.Exchange) string {
		for _, v := range x.Query()[name] {
			if !valid(v) {
				return name + "=" + history.Clip(v, 60)
			}
		}
		return ""
	})
}

func isLimit(v string) bool {
	n, err := strconv.Atoi(v)
	return err == nil && n >= spec.MinLimit && n <= spec.MaxLimit
}

func isStatus(v string) bool { return spec.PetStatus(v).Valid() }

// hasBody reports whether a createPet has a body; one without is CLIENT-11's.
func hasBody(x history.Exchange) bool {
	return x.Operation == spec.CreatePet && len(x.Request.Body) > 0
}

func otherMediaType(x history.Exchange) string {
	field := x.Request.Header.Get("Content-Type")
	if field == "" {
		return "no Content-Type"
	}
	if t, _, err := mime.ParseMediaType(field); err == nil && t == "application/json" {
		return ""
	}
	return "Content-Type: " + history.Clip(field, 80)
}

// bodyIsNewPet reads the bodies that were received whole, and says which it left out.
func bodyIsNewPet(h *history.History) (w rules.Whole) {
	left, first := 0, ""
	for _, x := range h.All {
		switch {
		case x.Operation != spec.CreatePet:
		case x.Request.Incomplete != "":
			if left++; left == 1 {
				first = fmt.Sprintf("%s (exchange %d)", x.Request.Incomplete, x.N)
			}
		default:
			w.Of++
			if wrong := wrongIn(x); wrong != "" {
				w.Breaks(x, "CLIENT-11", "the body of createPet",
					"a NewPet: name (string), categoryId (int64), and perhaps status (available, pending, sold)", wrong)
			}
		}
	}
	if left > 0 {
		w.Idle = spec.Count(left, "request") + " not judged: " + first
		w.Evidence = "held on " + spec.Number(w.Of-len(w.Broken)) + " of " + spec.Number(w.Of) + "; " + w.Idle
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
	members, isObject := sent.Value.(map[string]any)
	if !isObject {
		return history.KindOf(sent.Value)
	}
	pet := history.Pet{Members: members}
	for _, name := range []string{"name", "categoryId", "status"} {
		_, err := strconv.ParseInt(history.Whole(members["categoryId"]), 10, 64)
		open := name == "status" && members[name] == nil || name == "categoryId" && err == nil
		switch {
		case open || !pet.WrongType(name):
		case !pet.Has(name):
			return name + " is missing"
		default:
			return name + " is " + pet.KindOf(name)
		}
	}
	return ""
}

// otherPetID is a petId that is not an int64. One that rounding made larger than an int64 is none.
func otherPetID(x history.Exchange) string {
	if _, err := strconv.ParseInt(x.PetID(), 10, 64); err != nil {
		return "the petId " + history.Clip(x.PetID(), 60)
	}
	return ""
}

func deprecated(x history.Exchange) string {
	if x.Operation == spec.GetPet {
		return "getPet"
	}
	return ""
}

var (
	// operationElsewhere is the path of an operation below another base address, or below a second v1.
	operationElsewhere = regexp.MustCompile(`^(?:/\.\.(?:/[^/]+)*|/v1)/(?:pets(?:/[^/]+)?|store/orders)$`)
	// slashes are slashes too many, as of a base address and a path that were joined with a slash between them.
	slashes = regexp.MustCompile(`/{2,}`)
)

// meansOperation reports whether a request is one of an operation, or would be at an address below the base, or with
// fewer slashes. Other paths and methods are no operations.
func meansOperation(x history.Exchange) bool {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	plain := strings.TrimSuffix(slashes.ReplaceAllString(path, "/"), "/")
	asked := x.Request.Method == http.MethodGet || x.Request.Method == http.MethodPost
	return x.Named() || asked && operationElsewhere.MatchString(plain) ||
		spec.OperationOf(x.Request.Method, plain) != spec.Elsewhere
}

func otherAddress(x history.Exchange) string {
	if x.Named() {
		return ""
	}
	whole, _, _ := strings.Cut(x.WholePath(), "?")
	return history.Clip(whole, 120)
}
