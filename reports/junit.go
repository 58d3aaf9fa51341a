package reports

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// The elements and attributes are those of junit-10.xsd, which Jenkins holds a file to; GitHub and GitLab read them too.
// They take the verdict of a testcase from its child element, and follow its history by its class and name. So these do
// not change from run to run.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	junitCounts
	Skipped    int             `xml:"skipped,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitCounts struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Time     string `xml:"time,attr"`
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
	Text    string `xml:",chardata"`
}

// JUnit prints one testcase for each check, and a suite of gates, so that a run without a verdict fails.
func JUnit(w io.Writer, v View) error {
	res := v.Results
	var gates, checks []junitCase
	for i, g := range v.Gates {
		gates = append(gates, gateCase(g, v.Code, i > 0 && res.NothingJudged()))
	}
	named := map[string]bool{}
	for _, c := range res.Checks {
		t := v.checkCase(c)
		if named[t.Class+t.Name] { // two checks of one title
			t.Name += " (" + c.ID + ")"
		}
		named[t.Class+t.Name] = true
		checks = append(checks, t)
	}
	took := seconds(res.Took().Milliseconds())
	all := junitSuites{Suites: []junitSuite{v.suite("petconform gates", seconds(0), gates),
		v.suite("petconform checks", took, checks)}}
	all.Name, all.Time, all.Suites[1].Properties = "petconform", took, v.properties()
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	data, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	}
	return err
}

func (v View) properties() []junitProperty {
	all := []junitProperty{{"target", safe.Line(v.Target())}, {"run", v.Results.Run}, {"tool", v.Results.Tool},
		{"decision", safe.Line(v.Headline)}}
	if beside := v.Beside(v.Results); beside != "" {
		all = append(all, junitProperty{"verdict", beside})
	}
	for _, r := range v.NotTested {
		all = append(all, junitProperty{"not tested", r.String()})
	}
	return all
}

// suite counts the testcases of a suite by their results.
func (v View) suite(name, took string, cases []junitCase) junitSuite {
	s := junitSuite{junitCounts: junitCounts{Name: name, Time: took, Tests: len(cases)}, Cases: cases}
	if !v.Results.Started.IsZero() {
		s.Timestamp = v.Results.Started.UTC().Format("2006-01-02T15:04:05")
	}
	for _, c := range cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

func (v View) checkCase(c verdict.Check) junitCase {
	t := junitCase{Class: v.part(c), Name: cmp.Or(safe.Line(c.Title), c.ID), Time: seconds(c.MS)}
	switch c.Verdict {
	case verdict.Failed, verdict.Waived:
		card := v.cardOf(c.ID)
		r := &junitResult{Message: safe.Line(card.Heading())}
		if r.Text = "\n" + CardText(*card, Style{Verbose: true}); card.Checks[0].ID != c.ID { // which has the whole card
			r.Text = fmt.Sprintf("\n%s says more of failure %d.\n", card.Checks[0].ID, card.N)
		}
		if card.Note == "" {
			t.Failure = r
		} else {
			t.Skipped, t.Out = &junitResult{Message: card.Note + ": " + safe.Line(card.Title)}, r.Text
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

// gateCase returns the testcase of a gate. It fails if the gate is the reason for the exit code: not if the gate is
// inconclusive because of an earlier one, nor if it fails because musts do, since the checks that show these fail.
func gateCase(g decision.Gate, code int, follows bool) junitCase {
	t := junitCase{Class: "gates", Name: g.Name, Time: "0.000", Out: safe.Line(g.Measured)}
	r := &junitResult{Message: safe.Line(fmt.Sprintf("%s: %s", g.Result, g.Measured)), Text: g.Rule}
	switch {
	case g.Result == verdict.Failed && len(g.Broken) == 0:
		t.Failure = r
	case g.Result == verdict.Inconclusive && !follows,
		g.Required && g.Result == verdict.NotRun && code != verdict.ExitConforms:
		t.Error = r
	case g.Result != verdict.Passed:
		t.Skipped = r
	}
	return t
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }
