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

// RuleIDs are their ids.
func RuleIDs() (ids []string) {
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

const keyForm = "Authorization: Bearer <API_KEY>"

// rules returns every rule, in the order of the ledger. Each proves one requirement.
func (s *story) rules() []rules.Rule {
	all := []rules.Rule{
		{ID: "client-key", Title: "Requests carry an API key", Idle: "no client called an operation",
			Each: each("CLIENT-1", "a request without an API key", keyForm, history.Exchange.Named, breaking("CLIENT-1"))},
		{ID: "client-bearer", Title: "The key is sent as a bearer token", Idle: "no request carried a key",
			Each: each("CLIENT-2", "a key in another form", keyForm, given, breaking("CLIENT-2"))},
		{ID: "client-scheme", Title: "The scheme is written Bearer", Idle: "no request carried a bearer token",
			Each: each("CLIENT-3", "a scheme in another case", keyForm, bearer, breaking("CLIENT-3"))},
		{ID: "client-retry-after", Title: "No request comes before the time in Retry-After", Whole: s.retryAfterObeyed,
			Idle: "no client received a 429; the third or fifth request of a key gets one, without --plain and --freedom"},
		{ID: "client-backoff", Title: "Waits grow after repeated 429s", Whole: s.waitsGrow},
		{ID: "client-hammering", Title: "A refused client does not go on sending", Whole: s.noHammering,
			Idle: "no client received a 429 or a 401"},
		{ID: "client-jitter", Title: "Waits after repeated 429s vary", Observe: s.waitsVary,
			Idle: "clients did not wait after enough refusals to compare the waits"},
		{ID: "client-limit", Title: "A limit is an integer from 1 to 100", Idle: "no listing had a limit",
			Each: parameter("CLIENT-8", "limit", fmt.Sprintf("an integer from %d to %d, or no limit", spec.MinLimit, spec.MaxLimit))},
		{ID: "client-status", Title: "A status filter is one of the enumeration", Idle: "no listing had a status filter",
			Each: parameter("CLIENT-9", "status", "available, pending or sold, or no filter")},
		{ID: "client-media-type", Title: "createPet is sent as application/json", Idle: "no client sent a body with createPet",
			Each: each("CLIENT-10", "the media type of a NewPet", "Content-Type: application/json", hasBody, otherMediaType)},
		{ID: "client-new-pet", Title: "The body of createPet is a NewPet", Idle: "no client called createPet", Whole: bodyIsNewPet},
		{ID: "client-pet-id", Title: "A petId is an int64", Idle: "no client called getPet",
			Each: each("CLIENT-12", "a petId", "an int64", asksForOne, otherPetID)},
		{ID: "client-exact", Title: "Identifiers are sent back in every digit",
			Idle: "no client sent back an identifier that a float64 changes, to getPet or as a categoryId; " +
				"the service assigns such ids, without --plain and --freedom",
			Whole: func(*history.History) rules.Whole { return s.digits.found }},
		{ID: "client-deprecated", Title: "getPet is not used", Idle: "no client asked for animals",
			Each: each("CLIENT-14", "getPet is deprecated and is removed on "+spec.Removal.Format("2 January 2006"),
				"its replacement: GET /pets with the status filter", asksForAnimals, deprecated)},
		{ID: "client-address", Title: "Requests go to paths below the base address", Idle: "no client called an operation",
			Each: each("CLIENT-15", "an operation at another address", "a path below the base address, like /v1/pets",
				meansOperation, otherAddress)},
		{ID: "client-open", Title: "Which lawful variants the client met", Observe: s.freedomsMet,
			Idle: "the service had no freedom switched on, or no client called an operation"},
	}
	for i, q := range spec.TheLedger().Clients {
		all[i].Proves = []spec.ID{q.ID}
	}
	return all
}

// each judges the requests to which a requirement applies. wrong is what a request has in place of what is expected, ""
// if it has that.
func each(id spec.ID, message, expected string, applies func(history.Exchange) bool,
	wrong func(history.Exchange) string,
) func(history.Exchange, *rules.Whole) {
	return func(x history.Exchange, w *rules.Whole) {
		if !applies(x) {
			return
		}
		w.Of++
		if actual := wrong(x); actual != "" {
			w.Broken = append(w.Broken, finding(id, x, message, expected, actual))
		}
	}
}

func finding(id spec.ID, x history.Exchange, message, expected, actual string) verdict.Finding {
	return verdict.Finding{Requirement: id, Exchange: x.N, Message: message, Expected: expected, Actual: actual}
}

// freedomsMet lists the lawful variants that the client met. Only the client's own tests can show how it handled them.
func (s *story) freedomsMet(*history.History) []verdict.Observation {
	if len(s.calls) == 0 || len(s.settings.Freedoms) == 0 {
		return nil
	}
	return []verdict.Observation{{Requirement: "CLIENT-16", Key: "freedoms", Value: fmt.Sprintf("%s; %s of operations",
		strings.Join(s.settings.Freedoms, ", "), spec.Count(len(s.calls), "request"))}}
}
