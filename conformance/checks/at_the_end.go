package checks

import (
	"net/http"
	"slices"
	"strconv"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// turnsStep begins the steps of lookAtValues.
const turnsStep = "by-turns-"

const (
	// places is how many replicas may take turns.
	places = 3
	// pooled is how many equal reads a full run sends at once at its end: of up to seven connections that take turns,
	// each answers one, so that one which reads an old snapshot disagrees with the others.
	pooled = 7
	// fetchedAgain is how many getPets a full run sends at its end, about.
	fetchedAgain = 30
)

// AtTheEnd sends a read again that was refused although its key is valid, since one server of several may not know the
// key. A full run looks once more at reads that disagreed.
func AtTheEnd(s *check.Sender) {
	x, found := firstOf(s.History().All, func(x history.Exchange) bool {
		return x.Operation != spec.CreatePet && x.Named() && x.Auth.Valid() && x.Status() == http.StatusUnauthorized
	})
	for n := 0; found && n < certainLooks && s.Do(check.Raw("refused", x.Request.Path)).Status() == http.StatusUnauthorized; n++ {
	}
	if s.Deep {
		s.Together(slices.Repeat([]check.Request{check.List("at the end", check.Limit(spec.MaxLimit))}, pooled)...)
		fetchAll(s)
		lookSteadily(s)
	}
	lookAtValues(s)
}

// fetchAll calls getPet for each animal of the checks, which a cache may have dropped, and for those with odd values once
// more, which it may have changed.
func fetchAll(s *check.Sender) {
	if !s.Getting() {
		return
	}
	var all, odd []check.Request
	for _, c := range slices.SortedFunc(slices.Values(s.History().Owed()), history.Creation.Compare) {
		all = append(all, check.Get("at the end "+c.Exchange.Step, c.Answered.ID))
	}
	for _, id := range someAnimals(s) {
		odd = append(odd, check.Get("kept by a cache", id))
	}
	s.Together(all...)
	s.Together(odd...)
}

// lookAtValues reads an animal again that some reads show with other values than it was created with, and others do
// not. Of up to three places that take turns each answers each of these reads, so that the requirement which is found
// broken does not depend on those that the checks met.
func lookAtValues(s *check.Sender) {
	wrong, right := map[string]bool{}, map[string]bool{}
	created := slices.SortedFunc(slices.Values(s.History().Owed()), history.Creation.Compare)
	for _, x := range s.History().All {
		for _, p := range readPets(x) {
			for _, c := range created {
				if p.ID != "" && c.Answered.ID == p.ID {
					differs := len(c.Sent.Differences(p)) > 0 && len(c.Answered.Differences(p)) > 0
					wrong[p.ID] = wrong[p.ID] || differs && len(spec.Match("Pet", p.Members)) == 0
					right[p.ID] = right[p.ID] || !differs
				}
			}
		}
	}
	at := slices.IndexFunc(created, func(c history.Creation) bool { return wrong[c.Answered.ID] && right[c.Answered.ID] })
	if at < 0 {
		return
	}
	reads := []check.Request{check.List(turnsStep+"all", check.Limit(spec.MaxLimit)),
		check.List(turnsStep+"available", check.Query{Limit: strconv.Itoa(spec.MaxLimit), Status: string(spec.Available)})}
	if s.Getting() {
		reads = append(reads, check.Get(turnsStep+"getPet", created[at].Answered.ID))
	}
	for _, r := range reads { // taken in turn, each kind would reach one place
		for range places {
			s.Do(r)
		}
	}
}
