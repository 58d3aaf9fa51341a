package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// CheckID is the id of the exploration among the checks.
const CheckID = "explore"

// proves lists the requirements that the exploration's own judge can find broken. The rules judge its exchanges too.
var proves = []spec.ID{"LIST-1", "LIST-3", "LIST-6", "LIST-8", "LIST-11", "CREATE-1", "CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10",
	"CREATE-11", "CREATE-12", "CREATE-13", "CREATE-14", "GET-1", "GET-3", "GET-6", "AUTH-2", "AUTH-3", "AUTH-4", "AUTH-6"}

// settings are stored in the recording's Meta, because the judge needs them.
type settings struct {
	Patience time.Duration `json:"explorePatienceNs"`
}

// Settings returns the settings for the Meta of a recording.
func Settings(patience time.Duration) json.RawMessage {
	data, _ := json.Marshal(settings{patience})
	return data
}

// DefaultPatience is the age of an animal from which a read must show it.
const DefaultPatience = 10 * time.Second

func patienceOf(m exchange.Meta) time.Duration {
	s := settings{DefaultPatience}
	if json.Unmarshal(m.Settings, &s) != nil || s.Patience <= 0 {
		return DefaultPatience
	}
	return s.Patience
}

// Judge judges the exchanges of an exploration. It is a pure function of the recording.
func Judge(h *history.History) verdict.Check {
	own := h.Of(CheckID)
	c := verdict.Check{ID: CheckID, Kind: verdict.Active, Title: "Generated sequences of requests", Requirements: []spec.ID{}, Exchanges: []int{}}
	if len(own) == 0 {
		c.Verdict, c.Reason = verdict.NotRun, "no request was sent for it"
		return c
	}
	c.MS = own[len(own)-1].Ended().Sub(own[0].Sent).Milliseconds()
	r := newReader(h, patienceOf(h.Meta))
	var all []verdict.Finding
	sequences := map[string]bool{}
	for _, x := range own {
		c.Exchanges = append(c.Exchanges, x.N)
		all = append(all, r.findings(x)...)
		sequences[sequenceOf(x.Exchange)] = true
	}
	// A requirement is proved only if an answer could have broken it. In a large store no listing can show that an animal is
	// missing.
	for _, id := range proves {
		if r.told[id] || verdict.Names(all, id) {
			c.Requirements = append(c.Requirements, id)
		}
	}
	c.Findings, c.Verdict = verdict.FirstOfEach(all), verdict.Passed
	if len(c.Findings) > 0 {
		c.Verdict = verdict.Failed
	}
	c.Evidence = fmt.Sprintf("%d sequences, %d requests, %d answers whose status is not open", len(sequences), len(own), r.firm)
	return c
}

// reader knows the animals of a history.
type reader struct {
	h        *history.History
	patience time.Duration
	category int64
	created  []history.Creation
	byID     map[string]history.Creation
	seen     map[string]bool
	filtered map[spec.PetStatus]bool // the filters with which a listing succeeded
	omitted  bool                    // an animal was created without a status
	// refused are the refused creations by the name that they sent.
	refused map[string]history.Exchange
	// missing caches the results of missed by id.
	missing map[string]missing
	// told are the requirements that an answer could have broken. firm counts the answers whose status is not open.
	told map[spec.ID]bool
	firm int
}

func newReader(h *history.History, patience time.Duration) *reader {
	r := &reader{h: h, patience: patience, created: h.Created(), byID: map[string]history.Creation{}, seen: map[string]bool{}, filtered: map[spec.PetStatus]bool{},
		refused: map[string]history.Exchange{}, missing: map[string]missing{}, told: map[spec.ID]bool{}}
	r.category, _ = h.Category()
	for _, x := range h.All {
		if _, status, plain := asked(x); plain && x.Operation == spec.ListPets && x.Len() >= 0 {
			r.filtered[status] = true
		}
		for _, p := range x.Shown() {
			r.seen[p.ID] = true
		}
		if name := x.SentName(); x.Operation == spec.CreatePet && x.Answered() && x.Status()/100 == 4 && strings.HasPrefix(name, "petconform-") {
			r.refused[name] = x
		}
	}
	for _, c := range r.created {
		r.byID[c.Answered.ID] = c
		r.omitted = r.omitted || !c.Sent.Has("status") && c.Sent.Has("name")
		delete(r.refused, c.Sent.Name())
	}
	delete(r.byID, "")
	return r
}

// usable reports whether an exchange can be judged. Other checks judge a 429, a 401 to a valid key and a missing answer.
func usable(x history.Exchange) bool {
	return x.Answered() && !x.Limited() && !(x.Auth.Valid() && x.Status() == 401)
}

// findings judges one exchange of the exploration.
func (r *reader) findings(x history.Exchange) []verdict.Finding {
	if !usable(x) {
		return nil
	}
	var all []verdict.Finding
	add := func(id spec.ID, message, expected, actual string) {
		all = append(all, verdict.Finding{Requirement: id, Exchange: x.N, Message: message, Expected: expected, Actual: actual,
			Cases: []verdict.Case{{Sender: x.Check, Operation: x.Operation, Actual: actual, Exchanges: []int{x.N}, Status: x.Status()}}})
	}
	if e := r.expect(x); len(e.statuses) > 0 {
		r.firm++
		r.told[e.requirement] = true
		if !slices.Contains(e.statuses, x.Status()) {
			add(e.requirement, fmt.Sprintf("%s %s (%s)", x.Request.Method, x.Request.Path, e.what),
				"status "+strings.Trim(strings.ReplaceAll(fmt.Sprint(e.statuses), " ", " or "), "[]"), fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt()))
		}
	}
	r.looksAt(x)
	for _, c := range r.absent(x) {
		if age := x.Sent.Sub(c.Exchange.Ended()); age > r.patience {
			add(r.blame(x, c), fmt.Sprintf("animal %s, created by exchange %d, %s before %s %s", c.Answered.ID, c.Exchange.N,
				age.Round(time.Millisecond), x.Request.Method, x.Request.Path), "the animal", lacking(x))
			break
		}
	}
	for _, p := range x.Shown() {
		if by, was := r.refused[p.Name()]; was && by.N < x.N {
			id := spec.ID("CREATE-12")
			if by.Status() == 401 {
				id = "AUTH-6"
			}
			add(id, fmt.Sprintf("an animal with the name that exchange %d sent, which was answered %d", by.N, by.Status()), "no animal", fmt.Sprintf("animal %s, %q", p.ID, p.Name()))
			break
		}
	}
	return all
}
