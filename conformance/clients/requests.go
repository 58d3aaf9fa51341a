package clients

import (
	"cmp"
	"mime"
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

// hasBody reports whether a createPet has a body, and isWhole whether it was received whole, if it has one.
func creates(x history.Exchange) bool { return x.Operation == spec.CreatePet }
func hasBody(x history.Exchange) bool { return creates(x) && len(x.Request.Body) > 0 }
func isWhole(x history.Exchange) bool { return creates(x) && x.Request.Incomplete == "" }

func otherMediaType(x history.Exchange) string {
	field := x.Request.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(field); err == nil && t == "application/json" {
		return ""
	}
	return "Content-Type: " + cmp.Or(history.Clip(field, 80), "none")
}

// otherBody says why a body is not a NewPet; "" if it is one, or if that is open: a status that is null, 7.0 and 1e2.
func otherBody(x history.Exchange) string {
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
	// addressed is an operation, perhaps below another base address or a second v1.
	addressed = regexp.MustCompile(`^(?:/\.\..*|/v1)?(/pets(?:/[^/]+)?|/store/orders)$`)
	// slashes are slashes too many, as of a base address and a path that were joined with a slash between them.
	slashes = regexp.MustCompile(`/{2,}`)
)

// meansOperation reports whether a request is one of an operation, or would be at an address below the base, or with
// fewer slashes. Other paths and methods are no operations.
func meansOperation(x history.Exchange) bool {
	path, _, _ := strings.Cut(x.Request.Path, "?")
	of := addressed.FindStringSubmatch(strings.TrimSuffix(slashes.ReplaceAllString(path, "/"), "/"))
	return x.Named() || of != nil && spec.OperationOf(x.Request.Method, of[1]) != spec.Elsewhere
}

func otherAddress(x history.Exchange) string {
	if x.Named() {
		return ""
	}
	whole, _, _ := strings.Cut(x.WholePath(), "?")
	return history.Clip(whole, 120)
}
