package reports

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// The elements and attributes are those of junit-10.xsd, which Jenkins holds a file to; GitHub and GitLab read them
// too. They take the verdict of a testcase from its child element, and follow its history by its class and name. So
// these do not change from run to run.
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

// JUnit prints one testcase for each check, and a suite of gates, so that a run without a verdict fails.
func JUnit(w io.Writer, v View) error {
	res := v.Results
	checks := junitSuite{Name: "petconform checks", Timestamp: stamp(res.Started), Time: seconds(res.Took().Milliseconds())}
	checks.Properties = []junitProperty{{"target", safe.Line(safe.Target(res))}, {"run", res.Run}, {"tool", res.Tool},
		{"decision", safe.Line(v.Headline)}}
	if beside := v.Beside(res); beside != "" {
		checks.Properties = append(checks.Properties, junitProperty{"verdict", beside})
	}
	for _, r := range v.NotTested {
		checks.Properties = append(checks.Properties, junitProperty{"not tested", r.String()})
	}
	named := map[string]bool{}
	for _, c := range res.Checks {
		t := v.checkCase(c)
		if named[t.Class+t.Name] { // two checks of one title
			t.Name += " (" + c.ID + ")"
		}
		named[t.Class+t.Name] = true
		checks.add(t)
	}
	gates := junitSuite{Name: "petconform gates", Timestamp: stamp(res.Started), Time: "0.000"}
	for i, g := range v.Gates {
		gates.add(gateCase(g, v.Code, i > 0 && res.NothingJudged()))
	}
	all := junitSuites{Name: "petconform", Time: checks.Time, Suites: []junitSuite{gates, checks}}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
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

func (v View) checkCase(c verdict.Check) junitCase {
	t := junitCase{Class: classOf(v, c), Name: cmp.Or(safe.Line(c.Title), c.ID), Time: seconds(c.MS)}
	switch c.Verdict {
	case verdict.Failed, verdict.Waived:
		r := v.failure(c)
		if card, numbered := v.cardOf(c.ID); numbered && c.Verdict == verdict.Failed {
			r.Message = fmt.Sprintf("%d %s", card.N, safe.Line(card.Title))
			t.Failure = r
		} else {
			t.Skipped, t.Out = &junitResult{Message: r.Message}, r.Text
		}
	case verdict.Passed:
		t.Out = safe.Text(c.Evidence)
	case verdict.Observed:
		for _, id := range c.Requirements {
			for _, answer := range v.Observed(id) {
				t.Out = strings.TrimPrefix(t.Out+"\n"+safe.Line(fmt.Sprintf("%s: %s", id, answer)), "\n")
			}
		}
	default:
		word := c.Verdict
		if word == verdict.NotApplicable {
			word = verdict.NotRun
		}
		t.Skipped = &junitResult{Message: strings.TrimSuffix(string(word)+": "+safe.Line(c.Reason), ": ")}
	}
	return t
}

// failure tells the failure of a check: with its card in full where the check is the first that shows it.
func (v View) failure(c verdict.Check) *junitResult {
	r := &junitResult{Type: string(c.Broken()[0]), Message: safe.Line(c.Reason)}
	for _, card := range slices.Concat(v.Cards, v.Others) {
		switch {
		case !slices.Contains(card.Checks, c.ID):
			continue
		case card.Checks[0] == c.ID:
			r.Text += "\n" + CardText(card, Style{Verbose: true})
		default:
			own := v.card(cause.OfCheck(c))
			own.Title = fmt.Sprintf("%s. Failure %d, %s, says more", c.ID, card.N, card.Checks[0])
			r.Text += "\n" + CardText(own, Style{Verbose: true})
		}
		if card.Note != "" {
			r.Message = card.Note + ": " + safe.Line(card.Title)
		}
	}
	return r
}

// classOf returns the class name of a check: its operation, unless it is a phase of a load or reads all responses, or all
// requests of a client.
func classOf(v View, c verdict.Check) string {
	switch {
	case c.Kind == verdict.Phase:
		return "load"
	case c.Operation != "":
		return string(c.Operation)
	case v.Results.OfClient():
		return "everyRequest"
	}
	return "everyResponse"
}

// gateCase returns the testcase of a gate. It fails if the gate is the reason for the exit code, and does not if the gate
// is inconclusive because of an earlier one.
func gateCase(g decision.Gate, code int, follows bool) junitCase {
	t := junitCase{Class: "gates", Name: g.Name, Time: "0.000", Out: safe.Line(g.Measured)}
	r := &junitResult{Message: safe.Line(fmt.Sprintf("%s: %s (limit: %s)", g.Result, g.Measured, g.Limit)), Text: g.Rule}
	switch {
	case g.Result == verdict.Failed:
		t.Failure = r
	case g.Result == verdict.Inconclusive && !follows, g.Required && g.Result == verdict.NotRun && code != verdict.ExitConforms:
		t.Error = r
	case g.Result != verdict.Passed:
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
