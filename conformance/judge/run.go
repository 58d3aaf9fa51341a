// Package judge judges a run: a pure function of its recorded exchanges, so that the whole verdict can be computed again
// from a recording. A response is judged by its row, by the rules on every response, and by the model of the store.
package judge

import (
	"cmp"
	"fmt"
	"slices"
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

// Judgement is the result of one check or rule on a run.
type Judgement struct {
	Check verdict.Check
	Seen  []verdict.Observation
	// Lost lists the requests that got no response; with one of them the run is incomplete.
	Lost []string
	// Doubtful are the numbers of the exchanges that leave the check inconclusive.
	Doubtful []int
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
	for _, c := range plan.All() {
		r.shows(c, r.checks[c.ID])
	}
	return r
}

// filed files the findings of a history.
func filed(h *history.History) *Run {
	r := &Run{h: h, store: model.Of(h), checks: map[string]*found{}}
	for _, c := range sent() {
		r.checks[c.ID] = &found{proved: map[spec.ID]bool{}}
		for _, x := range last(h.Of(c.ID)) {
			r.response(c, r.checks[c.ID], x)
		}
	}
	for _, f := range slices.Concat(r.store.Missing(), r.store.LeftBehind()) {
		r.file(f)
	}
	return r
}

func sent() []plan.Check { return append(plan.All(), plan.Explored) }

// last returns the last attempts of the steps of one check, in the order of sending.
func last(own []history.Exchange) []history.Exchange {
	at := map[string]int{}
	for _, x := range own {
		at[x.Step] = x.N
	}
	return slices.DeleteFunc(slices.Clone(own), func(x history.Exchange) bool { return at[x.Step] != x.N })
}

// file files a finding of the model under the check that sent its exchange, if its findings may name the requirement,
// else under the check that exists for it.
func (r *Run) file(f verdict.Finding) {
	for i, c := range f.Cases { // a read that was sent again is the same request
		f.Cases[i].Name = plan.Asked(c.Name)
	}
	at := slices.IndexFunc(r.h.All, func(x history.Exchange) bool { return x.N == f.Exchange })
	var in *found
	if c, _ := plan.Find(r.h.All[at].Check); c.Names(f.Requirement) || c.Generated {
		in = r.checks[c.ID]
	}
	for _, owns := range []func(plan.Check) bool{
		func(c plan.Check) bool { return c.Proves == f.Requirement },
		func(c plan.Check) bool { return c.Names(f.Requirement) },
	} {
		if i := slices.IndexFunc(sent(), owns); in == nil && i >= 0 {
			in = r.checks[sent()[i].ID]
		}
	}
	if in != nil {
		in.findings = append(in.findings, f)
	}
}

// response judges one response by its row.
func (r *Run) response(c plan.Check, found *found, x history.Exchange) {
	row, known := plan.RowOf(c.ID, x.Step)
	if !known {
		found.doubt(x, "exchange %d has the step %q, which this version does not know", x.N, x.Step)
		return
	}
	if x.Failure != nil && x.Failure.Kind == exchange.TooLarge && row.Fails(x.Status()) {
		x.Failure = nil // its status can be judged
	}
	if !found.usable(x) {
		return
	}
	if x.Operation == spec.GetPet && x.Auth.Valid() {
		row.Breaks, row.Want = r.fetches(row, x)
	}
	if row.Asks != "" && !(row.Fails(x.Status()) && x.Operation == spec.GetPet) {
		found.Seen = append(found.Seen, verdict.Observation{Requirement: row.Asks, Key: row.About, Value: answer(x)})
	}
	switch why, plainer := plan.Tolerated(r.h, row, x), r.plainer(row, x); {
	case len(row.Want) == 0:
	case !row.Fails(x.Status()):
		found.held++
		found.proved[row.Breaks] = true
	case why.Reason != "" && why.Decides:
		found.evidence = append(found.evidence, fmt.Sprintf("%s: %s", x.Step, why.Reason))
	case why.Reason != "":
		found.doubt(x, "exchange %d (%s): %s", x.N, x.Step, why.Reason)
	case plainer.N > 0:
		found.doubt(plainer, "exchange %d, which differs in one thing only, was answered %d", plainer.N, plainer.Status())
	case slices.ContainsFunc(row.Apart, func(one plan.Row) bool { return r.fails(c.ID + "/" + one.Step) }): // the finding shows that one
	default:
		gomega.NewGomega(func(string, ...int) { found.findings = append(found.findings, wrongStatus(row, x)) }).
			Expect(x.Status()).To(gomega.BeElementOf(row.Want))
	}
}

// wrongStatus is the finding about a status that a row does not want.
func wrongStatus(row plan.Row, x history.Exchange) verdict.Finding {
	f := verdict.Finding{Requirement: row.Breaks, Exchange: x.N, Message: fmt.Sprintf("%s %s (%s)", x.Request.Method, x.Request.Path, x.Step),
		Expected: "status " + strings.ReplaceAll(strings.Trim(fmt.Sprint(row.Want), "[]"), " ", " or "),
		Actual:   fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt())}
	f.Cases = []verdict.Case{{Name: plan.Asked(x.Step), Sender: x.Check, Operation: x.Operation, Actual: f.Actual,
		Exchanges: []int{x.N}, Status: x.Status(), Wanted: row.Want}}
	return f
}

// plainer returns the exchange that differs in one thing only, where it failed too, so that the row shows nothing more. It
// is that of row.Unless; to a filtered listing with a limit, one with its limit alone.
func (r *Run) plainer(row plan.Row, x history.Exchange) (y history.Exchange) {
	limit, limited := x.Asked("limit")
	switch {
	case r.fails(row.Unless):
		y = r.exchangeOf(row.Unless)
	case limited && model.KindOf(x) == model.Filtered:
		for _, alone := range r.h.All {
			same, _ := alone.Asked("limit")
			if same == limit && model.KindOf(alone) == model.WithLimit && alone.Auth.Valid() && failed(alone) {
				return alone
			}
		}
	}
	return y
}

// exchangeOf finds the last exchange of a row, written check/step.
func (r *Run) exchangeOf(row string) (x history.Exchange) {
	check, step, _ := strings.Cut(row, "/")
	if all := r.h.OfRow(check, step); len(all) > 0 {
		x = all[len(all)-1]
	}
	return x
}

// fails reports whether a row, written check/step, did not get the status that it wants.
func (r *Run) fails(row string) bool { return failed(r.exchangeOf(row)) }

func failed(x history.Exchange) bool {
	row, known := plan.RowOf(x.Check, x.Step)
	return known && x.Answered() && !x.Limited() && row.Fails(x.Status())
}

// usable reports whether a response can be judged. If not, the check becomes inconclusive. Rules have findings about an
// incomplete response and about a 401 to a valid key.
func (f *found) usable(x history.Exchange) bool {
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

// shows makes a check inconclusive whose reads had nothing to show: none of them was full, or owed an animal. A listing
// that is shorter than its limit passes in an empty store, and proves nothing.
func (r *Run) shows(c plan.Check, f *found) {
	if c.Proves == "CREATE-12" && len(r.h.All) > 0 {
		if how, whyNot := r.store.Searched(); whyNot != "" {
			f.doubt(history.Exchange{}, "%s", whyNot)
		} else {
			f.evidence = append(f.evidence, how)
		}
	}
	kind, reads := model.Proving(c.Proves), r.h.All
	if kind == model.None || len(r.h.Of(c.ID)) == 0 {
		return
	}
	if kind == model.Filtered {
		reads = r.h.Of(c.ID) // those with its status
	}
	known := (&plan.State{History: r.h}).Known()
	most, shown, lawful := 0, false, false
	for _, x := range reads {
		if model.KindOf(x) != kind || !x.Auth.Valid() || !x.Answered() {
			continue
		}
		lawful, most = lawful || x.Status() == 200 || x.Status() == 404, max(most, x.Len())
		limit, _, _ := x.Listing()
		full := x.Len() >= limit && (kind != model.WithoutLimit || known > limit) || x.Continues()
		shown = shown || kind != model.Fetch && full || kind != model.WithoutLimit && len(r.store.Owes(x)) > 0
	}
	switch {
	case shown:
		f.evidence = append(f.evidence, f.asExpected())
	case !lawful || len(f.findings) > 0:
	case r.h.Meta.ReadOnly:
		f.notRun = "a read-only run creates no animals to look for"
	case kind == model.WithoutLimit:
		f.doubt(history.Exchange{}, "a listing without a limit has %s, and the store must have more than %d to show that it stops there",
			spec.Count(most, "animal"), spec.DefaultLimit)
	default:
		f.doubt(history.Exchange{}, "the run knows no animal that these reads have to show")
	}
}

func (f *found) asExpected() string {
	return fmt.Sprintf("%d of %s as expected", f.held, spec.Count(f.held, "response"))
}

// ofCheck sums what was found for a check.
func (r *Run) ofCheck(c plan.Check) Judgement {
	own, found := r.h.Of(c.ID), r.checks[c.ID]
	v := verdict.Check{ID: c.ID, Kind: verdict.Active, Title: c.Title, Operation: c.Operation,
		Requirements: c.Requirements(), Decides: c.Proves, Exchanges: []int{}, Findings: verdict.FirstOfEach(found.findings)}
	for _, x := range own {
		v.Exchanges = append(v.Exchanges, x.N)
	}
	if n := len(own); n > 0 {
		v.MS = own[n-1].Ended().Sub(own[0].Sent).Milliseconds()
	}
	q, _ := spec.TheLedger().Find(c.Proves)
	why, evidence := unsent(r.h.End, c.ID), found.evidence
	switch {
	case len(v.Findings) > 0:
		v.Verdict = verdict.Failed
	case !q.Applies(r.h.Meta.AsOf) && c.Proves != "":
		v.Verdict, v.Reason = verdict.NotApplicable, "it does not apply on "+r.h.Meta.AsOf.Format("2006-01-02")
	case len(found.Lost)+len(found.doubts) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, cmp.Or(strings.Join(found.Lost, "; "), strings.Join(found.doubts, "; "))
	case found.notRun != "" || len(own)+len(evidence) == 0:
		v.Verdict, v.Reason = verdict.NotRun, cmp.Or(found.notRun, why, "no request was sent for it")
	case q.Level == spec.Open:
		v.Verdict = verdict.Observed
	default:
		v.Verdict = verdict.Passed
	}
	if r.h.End != nil && len(r.h.End.GaveUp[c.ID]) > 0 {
		evidence = append(slices.Clone(evidence), why)
	}
	if v.Evidence = strings.Join(evidence, "; "); v.Evidence == "" && v.Verdict == verdict.Passed {
		v.Evidence = found.asExpected()
		if c.Proves == "" {
			v.Evidence = fmt.Sprintf("sent %s, which rules judge", spec.Count(len(own), "request"))
		}
	}
	return Judgement{v, found.Seen, found.Lost, found.Doubtful}
}
