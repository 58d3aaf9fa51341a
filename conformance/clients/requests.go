package clients

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

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
	if t, _, err := mime.ParseMediaType(field); err == nil && t == "application/json" {
		return ""
	}
	return "Content-Type: " + cmp.Or(history.Clip(field, 80), "none")
}

// bodyIsNewPet reads the bodies that were received whole.
func bodyIsNewPet(h *history.History) (w rules.Whole) {
	partial := ""
	for _, x := range h.All {
		switch {
		case x.Operation != spec.CreatePet:
		case x.Request.Incomplete != "":
			partial = fmt.Sprintf("no body of createPet was received whole: %s (exchange %d)", x.Request.Incomplete, x.N)
		default:
			w.Of++
			if wrong := wrongIn(x); wrong != "" {
				w.Breaks(x, "CLIENT-11", "the body of createPet",
					"a NewPet: name (string), categoryId (int64), and perhaps status (available, pending, sold)", wrong)
			}
		}
	}
	if w.Of == 0 {
		w.Unknown = partial
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
	_, err := strconv.ParseInt(history.Whole(members["categoryId"]), 10, 64)
	open := map[string]bool{"categoryId": err == nil, "status": members["status"] == nil}
	for _, name := range []string{"name", "categoryId", "status"} {
		if pet.WrongType(name) && !open[name] {
			return name + ": " + pet.KindOf(name)
		}
	}
	return ""
}

func getsPet(x history.Exchange) bool { return x.Operation == spec.GetPet }

// otherPetID is a petId that is not an int64. One that rounding made larger than an int64 is none.
func otherPetID(x history.Exchange) string {
	if _, err := strconv.ParseInt(x.PetID(), 10, 64); err != nil {
		return "the petId " + history.Clip(x.PetID(), 60)
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
