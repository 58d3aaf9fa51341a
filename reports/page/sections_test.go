package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// sectionText is the text of a part of the page, with single blanks.
func sectionText(t *testing.T, page []byte, id string) string {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attributes(n)["id"] == id {
			var b strings.Builder
			for d := range n.Descendants() {
				if d.Type == html.TextNode {
					b.WriteString(d.Data + " ")
				}
			}
			return strings.Join(strings.Fields(b.String()), " ")
		}
	}
	t.Fatalf("the page has no #%s", id)
	return ""
}

// TestFailureNamesWhatItBroke: of the statements that a failed check reads, those without a finding are not told as broken.
func TestFailureNamesWhatItBroke(t *testing.T) {
	run := sample.New()
	i := slices.IndexFunc(run.Results.Checks, func(c verdict.Check) bool { return c.ID == "list-5" })
	run.Results.Checks[i].Requirements = append(run.Results.Checks[i].Requirements, "LIST-1", "LIST-3")
	got := sectionText(t, plainPage(t, run), "check-list-5")
	if !strings.Contains(got, "LIST-5 must: Without a limit, the limit is 20.") || !strings.Contains(got, "No finding against LIST-1 (must), LIST-3 (must)") || strings.Contains(got, "LIST-3 must:") {
		t.Errorf("the failure reads %q", got)
	}
}

// TestResidualRiskNamesTheDeviations: what is broken stands under residual risk too, since a release may go out with it.
func TestResidualRiskNamesTheDeviations(t *testing.T) {
	got := sectionText(t, plainPage(t, sample.New()), "residual")
	for _, want := range []string{"LIST-5 (must), failed: Without a limit", "AUTH-7 (should), failed:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if got := sectionText(t, plainPage(t, sample.Good()), "residual"); !strings.Contains(got, "No requirement is broken.") {
		t.Errorf("without a failure it reads %q", got)
	}
}

// TestPlanFigures: rounds count from 1 for a reader, numbers have separators, and a figure beyond the plan's is explained where
// it stands.
func TestPlanFigures(t *testing.T) {
	load := sample.Load("Business")
	p := &load.Plans[0]
	p.PerMinute, p.PerDay, p.MostInWindow, p.Kind, p.Requests = 1000, 100000, 1115, "token bucket or GCRA", 12345
	p.Spans = append(p.Spans, judge.Span{Phase: record.Recover, Round: 21, FromS: 300, ToS: 301, Sent: 1, Accepted: 1})
	got := sectionText(t, plainPage(t, sample.New().With(load)), "load")
	for _, want := range []string{"Business: 1,000 a minute, 100,000 a day", "12,345 sent", "recover 2 5.00 5.02",
		"Most accepted in a minute 1,115. The plan has 1,000 a minute. A bucket accepts a burst of 1,000 and refills 1,000 a minute, so up to 2,000 within any minute can keep the plan."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the load section", want)
		}
	}
	run := sample.New().With(load)
	run.Results.Checks = append(run.Results.Checks, verdict.Check{ID: "load-business-fill", Kind: verdict.Phase, Verdict: verdict.Failed, Findings: []verdict.Finding{{Requirement: "RATE-6"}}})
	if got := sectionText(t, plainPage(t, run), "load"); !strings.Contains(got, "1,115. The plan has 1,000 a minute, and load-business-fill found too many.") {
		t.Error("a finding is explained away")
	}
	if m := regexp.MustCompile(`[0-9]{4,}`).FindString(got); m != "" {
		t.Errorf("%s has no separator", m)
	}
}

// TestNothingIsSaidOfWhatWasNotAsked: a run without a load, an earlier run or waivers has no empty section or column for them; the
// gates say so once.
func TestNothingIsSaidOfWhatWasNotAsked(t *testing.T) {
	page := plainPage(t, sample.Good())
	for _, id := range []string{"load", "since", "waivers", "untold"} {
		if bytes.Contains(page, []byte("<section id="+id+" ")) {
			t.Errorf("the page has a section %s", id)
		}
	}
	for _, column := range []string{"Last release", "Last run"} {
		if bytes.Contains(page, []byte("<th scope=col>"+column)) {
			t.Errorf("the page has a column %q", column)
		}
	}
	for _, want := range []string{"no load run", "no earlier run was given", "no waiver was given"} {
		if got := strings.Count(sectionText(t, page, "verdict"), want); got != 1 {
			t.Errorf("the gates say %d times %q", got, want)
		}
	}
}

// TestReasonIsToldOnce: why a run has no verdict stands in the sentence beside the word, and is not listed below it again.
func TestReasonIsToldOnce(t *testing.T) {
	const reason = "load run l-1: RATE-7 could not be told: the sender was too slow"
	run := sample.Good()
	run.Results.Verdict, run.Results.Reasons = verdict.NoVerdict, verdict.Because(reason)
	word, _, _ := strings.Cut(sectionText(t, plainPage(t, run), "verdict"), "Gates")
	if strings.Count(word, reason) != 1 {
		t.Errorf("the verdict reads %q", word)
	}
}

// TestGapsStandByReason: each reason why statements are not shown is told once, with all of its statements.
func TestGapsStandByReason(t *testing.T) {
	got := sectionText(t, plainPage(t, sample.Good()), "residual")
	if strings.Count(got, "a load run is needed") != 1 || !strings.Contains(got, "RATE-6 A request") || !strings.Contains(got, "RATE-16 A ban") {
		t.Errorf("residual risk reads %q", got)
	}
}

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{2 * time.Second: "2s", time.Minute: "1m", 48 * time.Minute: "48m", 24 * time.Hour: "24h", 90 * time.Minute: "1h30m", 61 * time.Second: "1m1s", 10 * time.Minute: "10m"} {
		if got := lasting(d); got != want {
			t.Errorf("%s is written %s; %s is wanted", d, got, want)
		}
	}
}
