package clients

import (
	"fmt"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Rules are the rules, in the order of the ledger. They read no recording.
func Rules() []rules.Rule { return (*story)(nil).rules() }

const keyForm = "Authorization: Bearer <API_KEY>"

// rules returns every rule, in the order of the ledger. Each proves one requirement.
func (s *story) rules() []rules.Rule {
	return []rules.Rule{
		idle("no client called an operation", rules.One("client-key", "Requests carry an API key", "CLIENT-1",
			history.Exchange.Named, "a request without an API key", keyForm, breaking("CLIENT-1"))),
		idle("no request carried a key", rules.One("client-bearer", "The key is sent as a bearer token", "CLIENT-2",
			given, "a key in another form", keyForm, breaking("CLIENT-2"))),
		idle("no request carried a bearer token", rules.One("client-scheme", "The scheme is written Bearer", "CLIENT-3",
			bearer, "a scheme in another case", keyForm, breaking("CLIENT-3"))),
		{ID: "client-retry-after", Title: "No request comes before the time in Retry-After", Proves: []spec.ID{"CLIENT-4"},
			Idle:  "no client received a 429; the third or fifth request of a key gets one, without --plain and --freedom",
			Whole: s.retryAfterObeyed},
		{ID: "client-backoff", Title: "Waits grow after repeated 429s", Proves: []spec.ID{"CLIENT-5"}, Whole: s.waitsGrow},
		{ID: "client-hammering", Title: "A refused client does not go on sending", Proves: []spec.ID{"CLIENT-6"},
			Idle: "no client received a 429 or a 401", Whole: s.noHammering},
		{ID: "client-jitter", Title: "Waits after repeated 429s vary", Proves: []spec.ID{"CLIENT-7"},
			Idle: "clients did not wait after enough refusals to compare the waits", Observe: s.waitsVary},
		idle("no listing had a limit", parameter("client-limit", "A limit is an integer from 1 to 100", "CLIENT-8",
			"limit", "an integer from 1 to 100, or no limit", isLimit)),
		idle("no listing had a status filter", parameter("client-status", "A status filter is one of the enumeration", "CLIENT-9",
			"status", "available, pending or sold, or no filter", isStatus)),
		idle("no client sent a body with createPet", rules.One("client-media-type", "createPet is sent as application/json",
			"CLIENT-10", hasBody, "the media type of a NewPet", "Content-Type: application/json", otherMediaType)),
		{ID: "client-new-pet", Title: "The body of createPet is a NewPet", Proves: []spec.ID{"CLIENT-11"},
			Idle: "no client called createPet", Whole: bodyIsNewPet},
		idle("no client called getPet", rules.One("client-pet-id", "A petId is an int64", "CLIENT-12",
			calls(spec.GetPet), "a petId", "an int64", otherPetID)),
		{ID: "client-exact", Title: "Identifiers are sent back in every digit", Proves: []spec.ID{"CLIENT-13"},
			Idle: "no client sent back an identifier that a float64 changes, to getPet or as a categoryId; " +
				"the service assigns such ids, without --plain and --freedom",
			Whole: func(*history.History) rules.Whole { return s.digits.found }},
		idle("no client asked for animals", rules.One("client-deprecated", "getPet is not used", "CLIENT-14",
			calls(spec.ListPets, spec.GetPet), "getPet is deprecated and is removed on "+spec.Removal.Format("2 January 2006"),
			"its replacement: GET /pets with the status filter", deprecated)),
		idle("no client called an operation", rules.One("client-address", "Requests go to paths below the base address",
			"CLIENT-15", meansOperation, "an operation at another address", "a path below the base address, like /v1/pets",
			otherAddress)),
		{ID: "client-open", Title: "Which lawful variants the client met", Proves: []spec.ID{"CLIENT-16"},
			Idle: "the service had no freedom switched on, or no client called an operation", Observe: s.freedomsMet},
	}
}

// idle adds what a run lacks that has no request to which the rule applies.
func idle(why string, r rules.Rule) rules.Rule {
	r.Idle = why
	return r
}

// freedomsMet lists the lawful variants that the client met. Only the client's own tests can show how it handled them.
func (s *story) freedomsMet(*history.History) []verdict.Observation {
	if len(s.calls) == 0 || len(s.settings.Freedoms) == 0 {
		return nil
	}
	return []verdict.Observation{{Requirement: "CLIENT-16", Key: "freedoms", Value: fmt.Sprintf("%s; %s of operations",
		strings.Join(s.settings.Freedoms, ", "), spec.Count(len(s.calls), "request"))}}
}
