package clients

import (
	"cmp"
	"mime"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// The plan of the scenario: a client of few requests reaches its end, and a wait for the next window is short, though
// Retry-After has 2 s, which a client that waits for a second each time does not wait for.
const (
	ScenarioMinute    = 1500 * time.Millisecond
	ScenarioPerMinute = 20
)

// Scenario has the freedoms with which the reference service leads a client to what the rules are about: ids that a
// float64 cannot hold, 429s for a client that paces itself, and others that a client may meet at any service.
var Scenario = []string{"ids-random", "others-spend-early", "random-order", "pet-with-more-members",
	"error-with-more-members", "compressed", "unavailable-once", "connection-closed-now-and-then"}

const (
	keyForm     = "Bearer <API_KEY>, in the Authorization header"
	noCall      = "no client called an operation"
	noWholeBody = "no client sent a whole body with createPet"
	scenario    = ", without --plain and --freedom"
)

// Rules returns every rule, in the order of the ledger. Each proves one requirement.
func Rules() []rules.Rule {
	return []rules.Rule{
		idle(noCall, rules.One("client-key", "Requests carry an API key", "CLIENT-1",
			history.Exchange.Named, "a request without an API key", keyForm, rules.Unless(given, formOf))),
		idle("no request carried a key", rules.One("client-bearer", "The key is sent as a bearer token", "CLIENT-2",
			given, "a key in another form", keyForm, rules.Unless(bearer, formOf))),
		idle("no request carried a bearer token", rules.One("client-scheme", "The scheme is written Bearer", "CLIENT-3",
			bearer, "a scheme in another case, which a service may refuse", keyForm, rules.Unless(capitalized, formOf))),
		{ID: "client-retry-after", Title: "No request comes before the time in Retry-After", Proves: []spec.ID{"CLIENT-4"},
			Idle:  "no client received a 429; the third request of a key gets one" + scenario,
			Whole: retryAfterObeyed},
		idle("no listing had a limit", parameter("client-limit", "A limit is an integer from 1 to 100", "CLIENT-8",
			"limit", "an integer from 1 to 100, or no limit", isLimit)),
		idle("no listing had a status filter", parameter("client-status", "A status filter is one of the enumeration", "CLIENT-9",
			"status", "available, pending or sold, or no filter", isStatus)),
		idle("no client sent a body with createPet", rules.One("client-media-type", "createPet is sent as application/json",
			"CLIENT-10", hasBody, "the media type of a NewPet", "Content-Type: application/json", otherMediaType)),
		idle(noWholeBody, rules.One("client-new-pet", "The body of createPet is a NewPet",
			"CLIENT-11", isWhole, "the body of createPet",
			"a NewPet: name (string), categoryId (int64), and perhaps status (available, pending, sold)", otherBody)),
		idle("no client called getPet", rules.One("client-pet-id", "A petId is an int64", "CLIENT-12",
			getsPet, "a petId", "an int64", otherPetID)),
		{ID: "client-exact", Title: "Ids are sent back in every digit", Proves: []spec.ID{"CLIENT-13"},
			Idle:  "no client sent back an id that a float64 changes, to getPet; the service assigns such ids" + scenario,
			Whole: sentBack},
		idle(noCall, rules.One("client-address", "Requests go to paths below the base address", "CLIENT-15",
			meansOperation, "an operation at another address", "a path below the base address, like /v1/pets",
			rules.Unless(history.Exchange.Named, elsewhere))),
	}
}

// idle says what a run lacks that has no request to which a rule applies.
func idle(why string, r rules.Rule) rules.Rule {
	r.Idle = why
	return r
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
	sent := x.Posted()
	pet := history.Pet{Value: sent.Value}
	_, err := strconv.ParseInt(history.Whole(pet.Member("categoryId")), 10, 64)
	switch {
	case len(x.Request.Body) == 0:
		return "no body"
	case sent.Malformed != nil:
		return "not JSON: " + sent.Malformed.Error()
	case sent.Value.Kind != '{':
		return history.KindOf(sent.Value)
	case pet.WrongType("name"):
		return "name: " + pet.KindOf("name")
	case err != nil:
		return "categoryId: " + pet.KindOf("categoryId")
	case pet.Says("status") && pet.WrongType("status"):
		return "status: " + pet.KindOf("status")
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

// addressed is the path of an operation, perhaps below another base address or a second v1, or with slashes too many, as
// of a base address and a path that were joined with a slash between them.
var addressed = regexp.MustCompile(`^(?:/\.\..*|/+v1)?(/+pets(?:/+[^/]+)?|/+store/+orders)/*$`)

// meansOperation reports whether a request is one of an operation, or would be at an address below the base, or with
// fewer slashes. Other paths and methods are no operations.
func meansOperation(x history.Exchange) bool {
	relative, _, _ := strings.Cut(x.Request.Path, "?")
	of := addressed.FindStringSubmatch(relative)
	return x.Named() || of != nil && spec.OperationOf(x.Request.Method, path.Clean(of[1])) != spec.Elsewhere
}

func elsewhere(x history.Exchange) string { return history.Clip(x.WholePath(), 120) }
