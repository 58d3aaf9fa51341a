package explore

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/invalid"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

const CheckID = check.Explore

// Judge judges the exchanges of an exploration. It is a pure function of the recording.
func Judge(h *history.History) verdict.Check {
	own := h.Of(CheckID)
	c := verdict.Check{ID: CheckID, Kind: verdict.Active, Title: "Generated sequences of requests", Requirements: []spec.ID{}, Exchanges: []int{}}
	if len(own) == 0 {
		c.Verdict, c.Reason = verdict.NotRun, "no request was sent for it"
		return c
	}
	c.MS = own[len(own)-1].Ended().Sub(own[0].Sent).Milliseconds()
	r := newReader(h, h.Meta.Patience)
	judged, _ := rules.Judge([]rules.Rule{r.rule()}, history.From(h.Meta, nil, own))
	c.Findings, c.Verdict, c.Reason = judged[0].Findings, judged[0].Verdict, judged[0].Reason
	sequences := map[string]bool{}
	for _, x := range own {
		c.Exchanges = append(c.Exchanges, x.N)
		sequences[sequenceOf(x.Exchange)] = true
	}
	// A requirement is proved only if an answer could have broken it. In a large store no listing can show that an
	// animal is missing.
	for _, q := range spec.TheLedger().Requirements {
		if r.tested[q.ID] || verdict.Names(c.Findings, q.ID) {
			c.Requirements = append(c.Requirements, q.ID)
		}
	}
	c.Evidence = fmt.Sprintf("%s, %s, %s whose status is not open", spec.Count(len(sequences), "sequence"),
		spec.Count(len(own), "request"), spec.Count(r.firm, "answer"))
	return c
}

// usable reports whether an exchange can be judged. Other checks judge a 429, a 401 to a valid key and a missing
// answer.
func usable(x history.Exchange) bool {
	return x.Answered() && !x.Limited() && !(x.Auth.Valid() && x.Status() == 401)
}

// rule is the exploration's own rule.
func (r *reader) rule() rules.Rule { return rules.Rule{ID: CheckID, Each: r.judge} }

// judge reads one exchange of the exploration: its status, the animals that it lacks, and those that it must not show.
func (r *reader) judge(x history.Exchange) (reading rules.Reading) {
	reading.Applies = true
	if !usable(x) {
		return reading
	}
	add := func(id spec.ID, wanted []int, message, expected, actual string) {
		reading.Broken = append(reading.Broken, verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual,
			Cases: []verdict.Case{{Wanted: wanted}}})
	}
	if id, statuses := r.expect(x); id != "" {
		r.firm++
		r.tested[id] = true
		if !slices.Contains(statuses, x.Status()) {
			q, _ := spec.TheLedger().Find(id)
			add(id, statuses, strings.TrimSpace(fmt.Sprintf("%s %s %s", x.Request.Method, x.Request.Path, q.Occasion)),
				"status "+strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", " or "), "[]"),
				fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt()))
		}
	}
	for _, c := range r.owed(x) {
		age := x.Sent.Sub(c.Exchange.Ended())
		if age < r.patience {
			continue
		}
		r.tested[lackedBy(x)] = true
		if !shows(x, c) {
			id, wanted := r.blame(x, c)
			add(id, wanted, fmt.Sprintf("animal %s, created by exchange %d, %s before %s %s", c.Answered.ID, c.Exchange.N,
				age.Round(time.Millisecond), x.Request.Method, x.Request.Path), "the animal", lacking(x))
			break
		}
	}
	if _, status, _ := x.Listing(); status == "" && x.HasRoom(r.byDefault) {
		for _, by := range r.refused {
			r.tested[leftBehindBy(by)] = r.tested[leftBehindBy(by)] || by.N < x.N
		}
	}
	for _, p := range x.Shown() {
		if by, was := r.refused[p.Name()]; was && by.N < x.N {
			add(leftBehindBy(by), nil, fmt.Sprintf("an animal with the name that exchange %d sent, which was answered %d", by.N, by.Status()),
				"no animal", fmt.Sprintf("animal %s, %q", p.ID, p.Name()))
			break
		}
	}
	return reading
}

// leftBehindBy is the requirement that a refused creation breaks if it leaves an animal behind.
func leftBehindBy(x history.Exchange) spec.ID {
	if x.Status() == 401 {
		return "AUTH-6"
	}
	return "CREATE-12"
}

// expect returns the requirement that an answer can break by its status, and the statuses that it allows. The answer to
// other requests is open, or left to a rule: listing-served judges listings.
func (r *reader) expect(x history.Exchange) (id spec.ID, statuses []int) {
	switch {
	case !x.Auth.Valid():
		if c, _ := invalid.CredentialOf(x.Auth); x.Operation != spec.StoreOrders {
			return c.Breaks, c.Gets()
		}
	case x.Operation == spec.CreatePet:
		return r.expectCreation(x)
	case x.Operation == spec.GetPet && r.h.Meta.AsOf.Before(spec.Removal):
		return r.expectPet(x)
	}
	return "", nil
}

// expectCreation goes by the step, which names the requirement that an acceptance of its body breaks, if it has to be
// refused. A missing status is blamed only if no animal was created without one.
func (r *reader) expectCreation(x history.Exchange) (id spec.ID, statuses []int) {
	_, step, _ := strings.Cut(x.Step, " ")
	switch accepted := step == mustCreate || step == withoutStatus; {
	case accepted && x.Status()/100 == 4 && checks.BeyondAccepted(r.h, x.SentName()):
		return "", nil // limits on lengths are not shown
	case step == withoutStatus && !r.omitted:
		return "CREATE-14", []int{http.StatusCreated}
	case accepted:
		return "CREATE-1", []int{http.StatusCreated}
	}
	if always, _, _ := invalid.Bodies(spec.ID(step)); len(always) > 0 {
		return spec.ID(step), invalid.Body{Text: string(x.Request.Body)}.Gets()
	}
	return "", nil
}

// expectPet allows a 404 for an animal of the run, because a replica may lag; owed judges it.
func (r *reader) expectPet(x history.Exchange) (id spec.ID, statuses []int) {
	petID := x.PetID()
	first, seen := r.h.FirstShown(petID)
	created := func(c history.Creation) bool { return c.Answered.ID == petID && c.Exchange.Ended().Before(x.Sent) }
	switch _, err := strconv.ParseInt(petID, 10, 64); {
	case err != nil:
		return "GET-6", []int{400, 404}
	case slices.ContainsFunc(r.created, created):
		return "GET-1", []int{200, 404}
	case seen && x.Sent.Sub(first) >= r.patience && checks.ListedAfter(r.h, x, petID):
		// Responses before and afterwards show it, and the first is too old for a replica that lags.
		return "GET-1", []int{200}
	case seen:
		return "", nil // another client created it, or it was being created
	}
	return "GET-3", []int{404}
}
