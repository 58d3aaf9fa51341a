package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Suite is a conformance run whose checks and rules are judged one by one, as Ginkgo specs or as subtests.
type Suite struct {
	cfg      Config
	subjects []judge.Subject
	// AcceptPart lets the suite pass when filters left some specs out and the others found nothing broken and nothing
	// unclear. Without it such a suite fails, since it does not show that the service conforms.
	AcceptPart bool

	// plan is what is going to be judged, as far as that is known before the first spec runs.
	plan run.Plan
	live *run.Run
	err  error // why the run could not begin
	// found is what was found when foundAt requests had been sent.
	found   *judge.Run
	foundAt int
	judged  []judge.Judgement
	results verdict.Results
	faults  []run.Fault
}

func newSuite(cfg Config) *Suite {
	return &Suite{cfg: cfg, subjects: run.Subjects(cfg), results: verdict.Results{Verdict: verdict.NoVerdict, Reasons: verdict.Reasons{"the suite did not run"}}}
}

// Faults returns the panics of a run, when the suite is over.
func (s *Suite) Faults() []run.Fault { return s.faults }

const title = "the pet adoption service interface"

// Describe adds a run against a live target to the Ginkgo tree that is being built. It is called at the top level of a
// suite:
//
//	var _ = conformance.Describe(conformance.At("http://localhost:8080/v1", os.Getenv("PETCONFORM_KEY")))
//
// Each check is sent when its spec runs. [Suite.RunSpecs] instead of Ginkgo's own sends all of them beforehand, side by
// side. The suite fails unless the verdict is "conforms".
func Describe(cfg Config) *Suite {
	s := newSuite(cfg)
	// Serial: one process sends. Ordered: the rules read what the checks have sent. A failure stops nothing.
	ginkgo.Describe(title, ginkgo.Serial, ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		for _, one := range s.subjects {
			ginkgo.It(one.ID+": "+one.Title, ginkgo.Label(one.Labels...), func(ctx ginkgo.SpecContext) { s.spec(ctx, one) })
		}
	})
	ginkgo.ReportAfterSuite("the verdict on "+title, s.conclude)
	return s
}

// spec is the body of an It.
func (s *Suite) spec(ctx context.Context, one judge.Subject) {
	j, err := s.judge(ctx, one)
	if errors.Is(err, errLeftOut) {
		ginkgo.Skip(err.Error())
	} else if err != nil {
		ginkgo.Fail(spec.Visible(err.Error()))
	}
	ginkgo.GinkgoWriter.Print(spec.Visible(fmt.Sprintln(j.Check.Verdict, j.Check.Reason, j.Check.Evidence)))
	if failure, skip := s.ending(j); failure != "" {
		ginkgo.Fail(failure)
	} else if skip != "" {
		ginkgo.Skip(skip)
	}
}

// judge judges one check or rule by the exchanges of the run. What the plan lacks for it is sent first.
func (s *Suite) judge(ctx context.Context, one judge.Subject) (judge.Judgement, error) {
	if err := s.begin(ctx); err != nil {
		return judge.Judgement{}, err
	}
	if !s.live.SendFor(ctx, one.ID) {
		return judge.Judgement{}, errLeftOut
	}
	if slices.Contains(s.plan.Judged, one.ID) {
		_, _ = s.live.Close(ctx) // nothing else will be sent; what stopped the run is in the recording, and so in the verdict
	}
	if s.cfg.Judging != nil {
		s.cfg.Judging(one.ID)
	}
	if s.found == nil || s.foundAt != s.live.Sent() {
		s.found, s.foundAt = judge.Of(s.live.History()), s.live.Sent()
	}
	j := one.Judge(s.found)
	s.judged = append(s.judged, j)
	return j, nil
}

var errLeftOut = errors.New("only a full run has it")

// begin begins the run, once.
func (s *Suite) begin(ctx context.Context) error {
	if s.live == nil && s.err == nil {
		s.live, s.err = run.Open(ctx, s.cfg, s.plan)
	}
	return s.err
}

// ending says how a spec or a subtest ends: with a failure, skipped, or passed if both are "".
func (s *Suite) ending(j judge.Judgement) (failure, skip string) {
	switch v := j.Check; v.Verdict {
	case verdict.Failed:
		if slices.ContainsFunc(v.Broken(), func(id spec.ID) bool {
			q, _ := spec.TheLedger().Find(id)
			return verdict.Counts(q.Level, s.cfg.Strict)
		}) {
			return judge.Text(v, s.live.History().Exchanges()), ""
		}
	case verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable:
		return "", spec.Visible(fmt.Sprintf("%s: %s", v.Verdict, v.Reason))
	}
	return "", ""
}

// conclude computes the results when Ginkgo has run the specs, and fails the suite unless they conform.
func (s *Suite) conclude(ctx ginkgo.SpecContext, report ginkgo.Report) {
	if report.SuiteConfig.DryRun {
		return
	}
	var faults []string
	others := false
	for _, spec := range report.SpecReports {
		switch state := spec.State; {
		case !slices.Contains(spec.ContainerHierarchyTexts, title):
			others = others || spec.LeafNodeType.Is(types.NodeTypeIt) && !state.Is(types.SpecStateSkipped|types.SpecStatePending)
		case state.Is(types.SpecStatePanicked | types.SpecStateAborted | types.SpecStateTimedout):
			faults = append(faults, fmt.Sprintf("the spec %s %s: %s", spec.LeafNodeText, state,
				strings.TrimSpace(spec.Failure.Message+" "+spec.Failure.ForwardedPanic)))
			if state.Is(types.SpecStatePanicked) {
				s.faults = append(s.faults, run.Fault{Value: fmt.Sprintf("judging %s: %s", spec.LeafNodeText, spec.Failure.ForwardedPanic),
					Stack: spec.Failure.Location.FullStackTrace})
			}
		}
	}
	interrupted := slices.Contains(report.SpecialSuiteFailureReasons, "Interrupted by User") // what Ginkgo says of a signal
	switch {
	case len(s.judged)+len(faults) == 0 && others:
		return // the suite was asked for other specs only
	case interrupted: // perhaps between two specs
		faults = append(faults, "interrupted before everything was judged")
	}
	s.finish(ctx, faults)
	switch r := s.Results(); {
	case r.Verdict == verdict.Conforms:
	case r.Part == nil || !r.Part.Holds:
		ginkgo.Fail(spec.Visible(fmt.Sprintf("%s: %s", r.InWords(), r.Reasons.String())))
	case !s.AcceptPart:
		ginkgo.Fail(r.InWords() + ". What was left out may be broken. AcceptPart lets a part pass; in petconform's own suite PETCONFORM_ACCEPT_PART=1 sets it.")
	}
}

// finish ends the run and computes its results.
func (s *Suite) finish(ctx context.Context, faults []string) {
	var rec *exchange.Recording
	var h *history.History
	if s.live != nil {
		rec, _ = s.live.Close(ctx)
		h = s.live.History()
		if f := s.live.Fault(); f != nil {
			s.faults = append(s.faults, *f)
		}
	} else {
		rec = &exchange.Recording{Meta: exchange.Meta{Kind: "check", Tool: s.cfg.Tool, Started: s.cfg.AsOf, AsOf: s.cfg.AsOf}, End: &exchange.End{}}
		why := cmp.Or(s.err, errors.New("nothing was selected, so nothing was sent"))
		h, faults = history.Of(rec), append([]string{why.Error()}, faults...)
	}
	s.results = judge.Sum(rec, h, s.judged, faults)
}

// Send sends the planned checks concurrently, and writes the recording to w as it grows. The error says what ended the
// run early.
func (s *Suite) Send(ctx context.Context, w io.Writer) (*exchange.Recording, error) {
	s.cfg.Recording = w
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.live.SendPlan(ctx)
	return s.live.Close(ctx)
}

// Results returns the results of the run, when the suite is over.
func (s *Suite) Results() verdict.Results { return s.results }

// Preview plans what Ginkgo is going to run with a label filter; "" selects everything. It sends nothing. An empty plan
// is no error; it makes no verdict.
func (s *Suite) Preview(filter string) run.Plan {
	return s.preview("petconform", configuration(filter, false)...)
}

// preview asks Ginkgo, whose label filter, focus and skip decide here as in RunSpecs.
func (s *Suite) preview(description string, args ...any) run.Plan {
	var ids []string
	for _, spec := range ginkgo.PreviewSpecs(description, args...).SpecReports {
		if spec.State.Is(types.SpecStatePassed) && slices.Contains(spec.ContainerHierarchyTexts, title) {
			id, _, _ := strings.Cut(spec.LeafNodeText, ":")
			ids = append(ids, id)
		}
	}
	s.plan = run.PlanFor(s.cfg, ids)
	return s.plan
}

// RunSpecs runs the Ginkgo suite that the specs belong to. It asks Ginkgo beforehand which of them are going to run, so
// that these are sent side by side.
func (s *Suite) RunSpecs(t ginkgo.GinkgoTestingT, description string, args ...any) bool {
	s.preview(description, args...)
	return ginkgo.RunSpecs(t, description, args...)
}

// Run runs the suite outside of go test, with a label filter. What Ginkgo prints goes to out.
func (s *Suite) Run(filter string, out io.Writer, verbose bool) bool {
	before := formatter.ColorableStdOut
	formatter.ColorableStdOut = out
	defer func() { formatter.ColorableStdOut = before }()
	return ginkgo.RunSpecs(outcome{}, "petconform", configuration(filter, verbose)...)
}

func configuration(filter string, verbose bool) []any {
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.LabelFilter, suite.RandomSeed = filter, 1
	reporter.NoColor, reporter.Succinct, reporter.Verbose = true, !verbose, verbose
	return []any{suite, reporter}
}

// outcome is the part of testing.T that Ginkgo needs.
type outcome struct{}

func (outcome) Fail() {} // the verdict says so
