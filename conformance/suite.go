package conformance

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Suite is a conformance run as Ginkgo specs: one It for each check and each rule.
type Suite struct {
	cfg      Config
	title    string
	subjects []subject
	source   *target
	// AcceptPart lets the suite pass when filters left some specs out and the others found nothing broken and nothing unclear.
	// Without it such a suite fails, since it does not show that the service conforms.
	AcceptPart bool

	mu      sync.Mutex
	results *verdict.Results
	faults  []Fault
}

// Fault is a panic of petconform itself. A run with one has no verdict.
type Fault struct {
	Value any
	Stack string
}

// Faults returns the panics of a run, when the suite is over.
func (s *Suite) Faults() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.source.faults(), s.faults...)
}

// Describe adds a run against a live target to the Ginkgo tree that is being built. It is called at the top level of a suite:
//
//	var _ = conformance.Describe(conformance.At("http://localhost:8080/v1", os.Getenv("PETCONFORM_KEY")))
//
// Each check is sent when its spec runs. [Suite.RunSpecs] instead of Ginkgo's own sends all of them beforehand, side by side.
// The suite fails unless the verdict is "conforms".
func Describe(cfg Config) *Suite {
	s := &Suite{cfg: cfg, title: "the pet adoption service interface", subjects: subjects(cfg), source: &target{cfg: cfg}}
	// Serial: one process sends. Ordered: the rules read what the checks have sent. A failure stops nothing.
	ginkgo.Describe(s.title, ginkgo.Serial, ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		for at := 0; at < len(s.subjects); {
			container, begin := s.subjects[at].container, at
			for at < len(s.subjects) && s.subjects[at].container == container {
				at++
			}
			ginkgo.Describe(container, func() {
				for _, one := range s.subjects[begin:at] {
					ginkgo.It(one.id+": "+one.title, ginkgo.Label(one.labels...), func(ctx ginkgo.SpecContext) { s.judge(ctx, one) })
				}
			})
		}
	})
	ginkgo.ReportAfterSuite("the verdict on "+s.title, s.conclude)
	return s
}

// judge is the body of a spec.
func (s *Suite) judge(ctx context.Context, one subject) {
	h, err := s.source.exchanges(ctx, one)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	if s.cfg.Judging != nil {
		s.cfg.Judging(one.id)
	}
	j := one.judge(h)
	ginkgo.AddReportEntry(entryName, j, ginkgo.ReportEntryVisibilityFailureOrVerbose)
	switch v := j.Check; v.Verdict {
	case verdict.Failed:
		if breaks(v, s.cfg.Strict) {
			ginkgo.Fail(Text(v))
		}
	case verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable:
		ginkgo.Skip(fmt.Sprintf("%s: %s", v.Verdict, v.Reason))
	}
}

// entryName is the name of the report entry with a spec's judgement.
const entryName = "verdict"

// String tells a judgement in Ginkgo's output.
func (j Judgement) String() string {
	text := string(j.Check.Verdict)
	for _, more := range []string{j.Check.Reason, j.Check.Evidence, Text(j.Check)} {
		if more != "" {
			text += "\n" + strings.TrimSpace(more)
		}
	}
	return text
}

// conclude computes the results from Ginkgo's report, and fails the suite unless they conform.
func (s *Suite) conclude(ctx ginkgo.SpecContext, report ginkgo.Report) {
	if report.SuiteConfig.DryRun {
		return
	}
	var judged []Judgement
	var faults []string
	others := false
	for _, spec := range report.SpecReports {
		if !slices.Contains(spec.ContainerHierarchyTexts, s.title) {
			others = others || spec.LeafNodeType.Is(types.NodeTypeIt) && !spec.State.Is(types.SpecStateSkipped|types.SpecStatePending)
			continue
		}
		j, ok := judgementOf(spec)
		if ok {
			judged = append(judged, j)
		}
		if spec.State.Is(types.SpecStatePanicked|types.SpecStateInterrupted|types.SpecStateAborted|types.SpecStateTimedout) || !ok && spec.State.Is(types.SpecStateFailed) {
			faults = append(faults, fmt.Sprintf("the spec %s %s: %s", spec.LeafNodeText, spec.State, strings.TrimSpace(spec.Failure.Message+" "+spec.Failure.ForwardedPanic)))
			if spec.State.Is(types.SpecStatePanicked) {
				s.faults = append(s.faults, Fault{fmt.Sprintf("judging %s: %s", spec.LeafNodeText, spec.Failure.ForwardedPanic), spec.Failure.Location.FullStackTrace})
			}
		}
	}
	if len(judged)+len(faults) == 0 && others {
		return // the suite was asked for other specs only
	}
	s.finish(ctx, judged, faults)
	r := s.Results()
	if part := r.Part; r.Verdict == verdict.Conforms || part != nil && part.Holds && s.AcceptPart {
		return
	}
	if r.Part != nil && r.Part.Holds {
		ginkgo.Fail(r.InWords() + ". What was left out may be broken. AcceptPart lets a part pass; in petconform's own suite PETCONFORM_ACCEPT_PART=1 sets it.")
	}
	ginkgo.Fail(fmt.Sprintf("%s: %s", r.InWords(), strings.Join(r.Reasons, "; ")))
}

func judgementOf(spec ginkgo.SpecReport) (Judgement, bool) {
	for _, e := range spec.ReportEntries {
		if j, ok := e.GetRawValue().(Judgement); ok && e.Name == entryName {
			return j, true
		}
	}
	return Judgement{}, false
}

func (s *Suite) finish(ctx context.Context, judged []Judgement, faults []string) {
	rec, h, err := s.source.recording(ctx)
	if rec == nil {
		rec = &exchange.Recording{Meta: exchange.Meta{Kind: "check", Tool: s.cfg.Tool, AsOf: s.cfg.AsOf}, End: &exchange.End{}}
		h, faults = history.Of(rec), append([]string{err.Error()}, faults...)
	}
	r := sum(rec, h, judged, faults)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results = &r
}

// Send sends the planned checks concurrently, and writes the recording to w as it grows. The error says what ended the run early.
func (s *Suite) Send(ctx context.Context, w io.Writer) (*exchange.Recording, error) {
	s.source.cfg.Recording = w
	if _, err := s.source.exchanges(ctx, subject{}); err != nil {
		return nil, err
	}
	rec, _, err := s.source.recording(ctx)
	return rec, err
}

// Results returns the results of the run, when the suite is over.
func (s *Suite) Results() verdict.Results {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.results == nil {
		return verdict.Results{Verdict: verdict.NoVerdict, Reasons: []string{"the suite did not run"}}
	}
	return *s.results
}

// Preview plans what Ginkgo is going to run with a label filter; "" selects everything. It sends nothing. An empty plan is no
// error; it makes no verdict.
func (s *Suite) Preview(filter string) Plan {
	return s.preview("petconform", configuration(filter, false)...)
}

// preview asks Ginkgo, whose label filter, focus and skip decide here as in RunSpecs.
func (s *Suite) preview(description string, args ...any) Plan {
	var ids []string
	for _, spec := range ginkgo.PreviewSpecs(description, args...).SpecReports {
		if spec.State.Is(types.SpecStatePassed) && slices.Contains(spec.ContainerHierarchyTexts, s.title) {
			id, _, _ := strings.Cut(spec.LeafNodeText, ":")
			ids = append(ids, id)
		}
	}
	p := planFor(s.cfg, ids)
	s.source.plan(p)
	return p
}

// RunSpecs runs the Ginkgo suite that the specs belong to. It asks Ginkgo beforehand which of them are going to run, so that
// these are sent side by side.
func (s *Suite) RunSpecs(t ginkgo.GinkgoTestingT, description string, args ...any) bool {
	s.preview(description, args...)
	return ginkgo.RunSpecs(t, description, args...)
}
