package reports

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// The elements and attributes are those of junit-10.xsd, which Jenkins holds a file to; GitHub and GitLab read them
// too. They take the verdict of a testcase from its child element, and follow its history by its name. So names do not
// change from run to run.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit returns one testcase for each check, and a suite of gates, so that a run without a verdict fails.
func JUnit(out Outcome) ([]byte, error) {
	res := out.Results
	checks := junitSuite{Name: "petconform checks", Timestamp: stamp(res.Started), Time: seconds(res.Took().Milliseconds())}
	checks.Properties = []junitProperty{{"target", safe.Line(safe.Target(res))}, {"run", res.Run}, {"tool", res.Tool},
		{"decision", safe.Line(out.Decision.Headline)}}
	if verdict := out.Decision.Beside(res); verdict != "" {
		checks.Properties = append(checks.Properties, junitProperty{"verdict", verdict})
	}
	causes := cause.Of(res)
	if len(causes) > 0 {
		checks.Properties = append(checks.Properties, junitProperty{"fix first", causes[0].Title})
	}
	for _, c := range res.Checks {
		checks.add(checkCase(res, c, out.Recording, causes))
	}
	gates := junitSuite{Name: "petconform gates", Timestamp: stamp(res.Started), Time: "0.000"}
	for i, g := range out.Decision.Gates {
		gates.add(gateCase(g, out.Decision.Code, i > 0 && res.NothingJudged()))
	}
	all := junitSuites{Name: "petconform", Time: checks.Time, Suites: []junitSuite{gates, checks}}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func checkCase(res verdict.Results, c verdict.Check, rec *exchange.Recording, causes []cause.Cause) junitCase {
	t := junitCase{Class: classOf(res, c), Name: c.ID, Time: seconds(c.MS)}
	switch c.Verdict {
	case verdict.Failed:
		r := failureOf(res, c, rec)
		if res.Breaks(c) {
			r.Text = "\n" + causesOf(c, causes) + strings.TrimPrefix(r.Text, "\n")
			t.Failure = r
		} else {
			t.Skipped, t.Out = &junitResult{Message: "a should is broken, which fails a run only with --strict: " + r.Message}, r.Text
		}
	case verdict.Waived:
		r := failureOf(res, c, rec)
		t.Skipped, t.Out = &junitResult{Message: "waived: " + r.Message}, r.Text
	case verdict.Passed:
		t.Out = safe.Text(c.Evidence)
	case verdict.Observed:
		t.Out = observedBy(res, c)
	default:
		t.Skipped = &junitResult{Message: strings.TrimSuffix(string(c.Verdict)+": "+safe.Line(c.Reason), ": ")}
	}
	return t
}

// mostOthers is the largest number of other checks with the same cause that a testcase names.
const mostOthers = 20

// causesOf says which of the causes a check shows, and where else they show.
func causesOf(c verdict.Check, causes []cause.Cause) string {
	var b strings.Builder
	for i, one := range causes {
		if !one.Shows(c.ID) {
			continue
		}
		fmt.Fprintf(&b, "Cause %d of %d: %s\n", i+1, len(causes), one.Title)
		others := slices.DeleteFunc(one.Checks(), func(id string) bool { return id == c.ID })
		if more := len(others) - mostOthers; more > 0 {
			others = append(others[:mostOthers], fmt.Sprintf("%d more", more))
		}
		if len(others) > 0 {
			fmt.Fprintf(&b, "It also shows in %s.\n", spec.List(others))
		}
	}
	return b.String()
}

// classOf returns the class name of a check: its operation, unless it is a phase of a load or reads all responses, or all
// requests of a client.
func classOf(res verdict.Results, c verdict.Check) string {
	switch {
	case c.Kind == verdict.Phase:
		return "load"
	case c.Operation != "":
		return string(c.Operation)
	case res.OfClient():
		return "everyRequest"
	}
	return "everyResponse"
}

func failureOf(res verdict.Results, c verdict.Check, rec *exchange.Recording) *junitResult {
	var text strings.Builder
	_ = Card(&text, c.ID, cause.OfCheck(c), res, rec, CardStyle{Each: true}) // a Builder takes everything
	r := &junitResult{Message: safe.Line(c.Reason), Text: "\n" + text.String()}
	if len(c.Findings) > 0 {
		f := c.Findings[0]
		r.Type = string(f.Requirement)
		r.Message = safe.Clip(safe.Line(fmt.Sprintf("%s: expected %s, got %s", f.Message, f.Expected, f.Actual)), 400)
	}
	return r
}

// Exchanges returns the exchanges of rec that a check names. Those of a phase are in the recording of the load, not in
// rec.
func Exchanges(c verdict.Check, rec *exchange.Recording) []exchange.Exchange {
	if rec == nil || c.Kind == verdict.Phase {
		return nil
	}
	wanted := make(map[int]bool, len(c.Exchanges))
	for _, n := range c.Exchanges {
		wanted[n] = true
	}
	for _, f := range c.Findings {
		wanted[f.Exchange], wanted[f.After] = true, true
	}
	var own []exchange.Exchange
	for _, x := range rec.Exchanges {
		if wanted[x.N] {
			own = append(own, x)
		}
	}
	return own
}

func observedBy(res verdict.Results, c verdict.Check) string {
	var lines []string
	for _, o := range res.Observations {
		for _, id := range c.Requirements {
			if o.Requirement == id {
				lines = append(lines, safe.Line(fmt.Sprintf("%s: %s: %s", o.Requirement, o.Key, o.Value)))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// gateCase returns the testcase of a gate. It fails if the gate is the reason for the exit code, and does not if the gate
// cannot tell because of an earlier one.
func gateCase(g decision.Gate, code int, follows bool) junitCase {
	t := junitCase{Class: "gates", Name: g.Name, Time: "0.000", Out: safe.Line(g.Measured)}
	r := &junitResult{Message: safe.Line(fmt.Sprintf("%s: %s (limit: %s)", g.Result, g.Measured, g.Limit)), Text: g.Rule}
	switch {
	case g.Result == decision.Broken:
		t.Failure = r
	case g.Result == decision.Unknown && !follows, g.Result == decision.Part && code != verdict.ExitConforms:
		t.Error = r
	case g.Result != decision.Holds:
		t.Skipped = r
	}
	return t
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
