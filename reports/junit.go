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
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class  string       `xml:"classname,attr"`
	Name   string       `xml:"name,attr"`
	Time   string       `xml:"time,attr"`
	Result *junitResult // nil if the case passed
	Out    string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	XMLName xml.Name
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (t *junitCase) ended(as, message, text string) {
	t.Result = &junitResult{xml.Name{Local: as}, safe.Line(message), text}
}

const junitFailure, junitError, junitSkipped = "failure", "error", "skipped"

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
	all := junitSuites{Name: "petconform", Suites: []junitSuite{v.suite("petconform gates", 0, gates),
		v.suite("petconform checks", res.Took().Milliseconds(), checks)}}
	data, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	}
	return err
}

func (v View) suite(name string, tookMS int64, cases []junitCase) junitSuite {
	s := junitSuite{Name: name, Time: seconds(tookMS), Tests: len(cases), Cases: cases}
	if !v.Results.Started.IsZero() {
		s.Timestamp = v.Results.Started.UTC().Format("2006-01-02T15:04:05")
	}
	count := map[string]*int{junitFailure: &s.Failures, junitError: &s.Errors, junitSkipped: &s.Skipped}
	for _, c := range cases {
		if c.Result != nil {
			*count[c.Result.XMLName.Local]++
		}
	}
	return s
}

func (v View) checkCase(c verdict.Check) junitCase {
	t := junitCase{Class: v.part(c), Name: cmp.Or(safe.Line(c.Title), c.ID), Time: seconds(c.MS)}
	switch c.Verdict {
	case verdict.Failed, verdict.Waived:
		card := v.cardOf(c.ID)
		text := "\n" + CardText(*card, Style{Verbose: true})
		if card.Checks[0].ID != c.ID { // which has the whole card
			text = fmt.Sprintf("\n%s says more of failure %d.\n", card.Checks[0].ID, card.N)
		}
		if card.Note == "" {
			t.ended(junitFailure, card.Heading(), text)
		} else {
			t.ended(junitSkipped, card.Note+": "+card.Title, "")
			t.Out = text
		}
	case verdict.Passed, verdict.Observed:
		t.Out = safe.Text(c.Evidence)
	default:
		t.ended(junitSkipped, strings.TrimSuffix(string(decision.Shown(c.Verdict))+": "+c.Reason, ": "), "")
	}
	return t
}

// gateCase returns the testcase of a gate. It fails if the gate is the reason for the exit code: not if the gate is
// inconclusive because of an earlier one, nor if it fails because musts do, since the checks that show these fail.
func gateCase(g decision.Gate, code int, follows bool) junitCase {
	t := junitCase{Class: "gates", Name: g.Name, Time: seconds(0), Out: safe.Line(g.Measured)}
	as := junitSkipped
	switch {
	case g.Result == verdict.Passed:
		return t
	case g.Result == verdict.Failed && len(g.Broken) == 0:
		as = junitFailure
	case g.Result == verdict.Inconclusive && !follows,
		g.Required && g.Result == verdict.NotRun && code != verdict.ExitConforms:
		as = junitError
	}
	t.ended(as, fmt.Sprintf("%s: %s", g.Word(), g.Measured), g.Rule)
	return t
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }
