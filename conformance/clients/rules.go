package clients

import (
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
			history.Exchange.Named, "a request without an API key", keyForm, unless(given))),
		idle("no request carried a key", rules.One("client-bearer", "The key is sent as a bearer token", "CLIENT-2",
			given, "a key in another form", keyForm, unless(bearer))),
		idle("no request carried a bearer token", rules.One("client-scheme", "The scheme is written Bearer", "CLIENT-3",
			bearer, "a scheme in another case, which a service may refuse", keyForm, unless(capitalized))),
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
		{ID: "client-exact", Title: "Identifiers are sent back in every digit", Proves: []spec.ID{"CLIENT-13"},
			Idle: "no client sent back an identifier that a float64 changes, to getPet or as a categoryId; " +
				"the service assigns such ids" + scenario, Whole: sentBack},
		idle(noCall, rules.One("client-address", "Requests go to paths below the base address", "CLIENT-15",
			meansOperation, "an operation at another address", "a path below the base address, like /v1/pets", otherAddress)),
	}
}

// idle says what a run lacks that has no request to which a rule applies.
func idle(why string, r rules.Rule) rules.Rule {
	r.Idle = why
	return r
}
