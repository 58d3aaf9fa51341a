package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/gomega"

	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Run is what was found in a history, filed under checks.
type Run struct {
	h      *history.History
	store  *model.Store
	checks map[string]*found
}

// found is what was found for one check.
type found struct {
	Judgement
	findings []verdict.Finding
	doubts   []string // why the check is inconclusive
	evidence []string
	held     int              // responses with a status that their row wants
	proved   map[spec.ID]bool // by these
	notRun   string
}

func (f *found) doubt(x history.Exchange, format string, args ...any) {
	f.Doubtful = append(f.Doubtful, x.N)
	if why := fmt.Sprintf(format, args...); !slices.Contains(f.doubts, why) {
		f.doubts = append(f.doubts, why)
	}
}

// Of judges a history.
func Of(h *history.History) *Run {
	r := filed(h)
	r.untold()
	return r
}

// filed files the findings of a history.
func filed(h *history.History) *Run {
	r := &Run{h: h, store: model.Of(h), checks: map[string]*found{}}
	all := append(plan.All(), plan.Explored)
	for _, c := range all {
		r.checks[c.ID] = &found{proved: map[spec.ID]bool{}}
	}
	for _, c := range all {
		for _, x := range settled(h.Of(c.ID)) {
			r.response(c, x)
		}
	}
	for _, f := range slices.Concat(r.store.Missing(), r.store.LeftBehind()) {
		r.file(f)
	}
	return r
}

// settled returns the last attempts of the steps of one check, in the order of sending.
func settled(own []history.Exchange) []history.Exchange {
	last := map[string]int{}
	for _, x := range own {
		last[x.Step] = x.N
	}
	return slices.DeleteFunc(slices.Clone(own), func(x history.Exchange) bool { return last[x.Step] != x.N })
}

// file files a finding of the model under the check that sent its exchange, if its findings may name the requirement,
// else under the check that exists for it.
func (r *Run) file(f verdict.Finding) {
	for i, c := range f.Cases { // a read that was sent again is the same request
		f.Cases[i].Name = plan.Asked(c.Name)
	}
	at := slices.IndexFunc(r.h.All, func(x history.Exchange) bool { return x.N == f.Exchange })
	sent := r.h.All[at].Check
	all := append(plan.All(), plan.Explored)
	for _, owns := range []func(plan.Check) bool{
		func(c plan.Check) bool { return c.ID == sent && (c.Names(f.Requirement) || sent == ExploreID) },
		func(c plan.Check) bool { return c.Proves == f.Requirement },
		func(c plan.Check) bool { return c.Names(f.Requirement) },
	} {
		if i := slices.IndexFunc(all, owns); i >= 0 {
			found := r.checks[all[i].ID]
			found.findings = append(found.findings, f)
			return
		}
	}
}

// response judges one response by its row.
func (r *Run) response(c plan.Check, x history.Exchange) {
	found := r.checks[c.ID]
	row, known := plan.RowOf(c.ID, x.Step)
	if !known {
		found.doubt(x, "exchange %d has the step %q, which this version does not know", x.N, x.Step)
		return
	}
	if x.Failure != nil && x.Failure.Kind == exchange.TooLarge && row.Fails(x.Status()) {
		x.Failure = nil // its status can be judged
	}
	if !r.usable(found, x) {
		return
	}
	if x.Operation == spec.GetPet && x.Auth.Valid() {
		row.Proves, row.Want = r.fetches(row, x)
	}
	if row.Asks != "" && !(row.Fails(x.Status()) && x.Operation == spec.GetPet) {
		found.Seen = append(found.Seen, verdict.Observation{Requirement: row.Asks, Key: row.About, Value: answer(x)})
	}
	switch why := plan.Tolerated(r.h, row, x); {
	case len(row.Want) == 0:
	case !row.Fails(x.Status()):
		found.held++
		found.proved[row.Proves] = true
	case why.Reason != "" && why.Decides:
		found.evidence = append(found.evidence, fmt.Sprintf("%s: %s", x.Step, why.Reason))
	case why.Reason != "":
		found.doubt(x, "exchange %d (%s): %s", x.N, x.Step, why.Reason)
	case r.alsoFails(row.Unless):
		y := r.exchangeOf(row.Unless)
		found.doubt(y, "exchange %d, which differs in one thing only, was answered %d", y.N, y.Status())
	case r.partFails(c, row):
	case r.limitFails(x):
		found.doubt(x, "exchange %d (%s) has a limit that fails without the filter too", x.N, x.Step)
	default:
		found.status(row, x)
	}
}

// alsoFails reports whether a row, written check/step, did not get the status that it wants.
func (r *Run) alsoFails(row string) bool {
	x := r.exchangeOf(row)
	other, known := plan.RowOf(x.Check, x.Step)
	return known && x.Answered() && !x.Limited() && other.Fails(x.Status())
}

// partFails reports whether a part of a row fails too: the finding then shows the part.
func (r *Run) partFails(c plan.Check, row plan.Row) bool {
	return slices.ContainsFunc(row.Parts, func(part plan.Row) bool { return r.alsoFails(c.ID + "/" + part.Step) })
}

// limitFails reports whether a filtered listing has a limit that fails without the filter too, so that it shows nothing
// about filters.
func (r *Run) limitFails(x history.Exchange) bool {
	limit, limited := x.Asked("limit")
	_, filtered := x.Asked("status")
	return limited && filtered && slices.ContainsFunc(r.h.All, func(y history.Exchange) bool {
		same, _ := y.Asked("limit")
		return same == limit && model.KindOf(y) == model.WithLimit && y.Auth.Valid() && y.Answered() && !y.Limited() && y.Status() != 200
	})
}

// status adds a finding about the status of a response, if its row does not want it.
func (f *found) status(row plan.Row, x history.Exchange) {
	gomega.NewGomega(func(string, ...int) {
		wanted := strings.ReplaceAll(strings.Trim(fmt.Sprint(row.Want), "[]"), " ", " or ")
		actual := fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt())
		f.findings = append(f.findings, verdict.Finding{Requirement: row.Proves, Exchange: x.N,
			Message:  fmt.Sprintf("%s %s (%s)", x.Request.Method, x.Request.Path, x.Step),
			Expected: "status " + wanted, Actual: actual,
			Cases: []verdict.Case{{Name: plan.Asked(x.Step), Sender: x.Check, Operation: x.Operation, Actual: actual,
				Exchanges: []int{x.N}, Status: x.Status(), Wanted: row.Want}}})
	}).Expect(x.Status()).To(gomega.BeElementOf(row.Want))
}

// usable reports whether a response can be judged. If not, the check becomes inconclusive. Rules have findings about an
// incomplete response and about a 401 to a valid key.
func (r *Run) usable(f *found, x history.Exchange) bool {
	switch {
	case x.Failure != nil && (x.Failure.Kind == exchange.Closed || x.Failure.Kind == exchange.NotHTTP || x.Failure.Kind == exchange.Undecodable):
		f.doubt(x, "exchange %d (%s) got no complete response", x.N, x.Step)
	case x.Failure != nil && x.Failure.Kind == exchange.Unasked:
		f.doubt(x, "exchange %d (%s): %s", x.N, x.Step, x.Failure.Detail)
	case x.Failure != nil:
		f.Lost = append(f.Lost, fmt.Sprintf("exchange %d (%s) has no response: %s: %s", x.N, x.Step, x.Failure.Kind, x.Failure.Detail))
	case x.Limited():
		f.doubt(x, "exchange %d (%s) was answered 429", x.N, x.Step)
	case x.Auth.Valid() && x.Status() == 401 && x.Named() && x.Operation != spec.StoreOrders:
		f.doubt(x, "exchange %d (%s) was answered 401 although its key is valid", x.N, x.Step)
	default:
		return true
	}
	return false
}

// fetches says what a getPet with the key has to return, by what the run knows of the id. An animal that a response
// showed is found, unless the store lacks it, which the model judges. One that getPet alone shows, even in a body that
// can't be read, is another client's, unless the run made the id up.
func (r *Run) fetches(row plan.Row, x history.Exchange) (spec.ID, []int) {
	id := x.PetID()
	n, err := strconv.ParseInt(id, 10, 64)
	p, found := x.Pet()
	switch {
	case !r.h.Meta.AsOf.Before(spec.Removal):
		return "GET-5", []int{404, 410, 405, 400, 501}
	case err != nil:
		return "GET-6", []int{400, 404}
	case r.mayExist(id, x), x.Status() == http.StatusOK && row.Proves != "GET-3" && !(found && p.ID != id):
		return "GET-1", []int{200, 404}
	case n < 0: // a service whose ids are never negative may take it for a petId that is no int64
		return "GET-3", []int{404, 400}
	}
	return "GET-3", []int{404}
}

// mayExist reports whether an animal with the id may exist when a read is answered: the run had sent its creation by
// then, or, of one that the run did not create, a listing shows it.
func (r *Run) mayExist(id string, read history.Exchange) bool {
	ours, early := false, true
	for _, c := range r.h.Created() {
		if c.Answered.ID == id {
			ours, early = true, early && !c.Exchange.Sent.Before(read.Ended())
		}
	}
	if ours {
		return !early
	}
	return slices.ContainsFunc(r.h.All, func(y history.Exchange) bool {
		pets, _ := y.Pets()
		return slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == id })
	})
}

// answer describes a response without its number of animals, so that releases can be compared on different stores.
func answer(x history.Exchange) string {
	switch n := x.Len(); {
	case n == 0:
		return "200 with no animal"
	case n > 0:
		return "200 with animals"
	case x.Operation == spec.CreatePet || x.MediaType() == "":
		return strconv.Itoa(x.Status())
	}
	return fmt.Sprintf("%d %s", x.Status(), x.MediaType())
}
