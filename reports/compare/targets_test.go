package compare

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/freedoms"
	"petconform/spec/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	// latency is how long a request takes, and atOnce how many runs are made side by side: they wait more than they compute.
	latency = 100 * time.Microsecond
	atOnce  = 16
)

// sent makes a run against the reference service in this process.
func sent(t *testing.T, s proof.Service) (verdict.Results, *exchange.Recording) {
	t.Helper()
	s.Latency = latency
	r, rec, err := proof.Against(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r, rec
}

// text writes a comparison in one line for each difference.
func text(r verdict.Results) string {
	var b strings.Builder
	for _, u := range r.Against.Requirements {
		fmt.Fprintf(&b, "  %s %s here, %s there\n", u.ID, u.Here, u.There)
	}
	for _, a := range r.Against.Answers {
		fmt.Fprintf(&b, "  %s %s: %s | %s\n", a.Requirement, a.Question, a.Here, a.There)
	}
	if b.Len() == 0 {
		return "  nothing\n"
	}
	return b.String()
}

// TestFreedoms: what is told of the reference service with each freedom, beside the plain one. No freedom is a deviation, and what is told
// stands in a golden table.
func TestFreedoms(t *testing.T) {
	plain, recording := sent(t, proof.Service{})
	freedoms := slices.Concat(freedoms.All(), freedoms.AtRest())
	rows := make([]string, len(freedoms))
	var all sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, f := range freedoms {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			other, there, err := proof.Against(t.Context(), proof.Service{Freedoms: []string{f.Name}, Latency: latency})
			if err != nil {
				t.Error(err)
				return
			}
			r := Targets(plain, recording, there)
			for _, r := range []verdict.Results{r, Targets(other, there, recording)} {
				if len(mustsTold(r)) > 0 || r.Verdict != verdict.Conforms {
					t.Errorf("the freedom %s is called a deviation: %s %q", f.Name, r.Verdict, r.Reasons)
				}
			}
			if f.Name != "limit-adapts-every-second" { // what its Limit is depends on the second of the run
				rows[i] = fmt.Sprintf("%s: %s\n%s\n", f.Name, f.Says, text(r))
			}
		})
	}
	all.Wait()
	golden(t, "freedoms.txt", strings.Join(rows, ""))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mine, theirs := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(mine), len(theirs)) {
		if i >= len(mine) || i >= len(theirs) || mine[i] != theirs[i] {
			t.Fatalf("%s differs from line %d on; look at it and, if it is right, run go test ./reports/compare -update\n%s", name, i+1, strings.Join(mine[max(0, i-2):min(len(mine), i+4)], "\n"))
		}
	}
}

// TestAlike: two plain services have no drift, whatever their animals, ids and clocks are, with every seed.
func TestAlike(t *testing.T) {
	for _, row := range []struct {
		name        string
		here, there proof.Service
	}{
		{"the same", proof.Service{}, proof.Service{}},
		{"another seed of both", proof.Service{Seed: 4711}, proof.Service{Seed: 4711}},
		{"one at a time", proof.Service{Concurrency: 1}, proof.Service{Concurrency: 1}},
		{"animals at one", proof.Service{}, proof.Service{Animals: 30}},
		{"more animals than a page", proof.Service{Animals: 150}, proof.Service{}},
		{"ids", proof.Service{Freedoms: []string{"ids-random"}}, proof.Service{Freedoms: []string{"ids-near-the-end"}}},
		{"clocks", proof.Service{Freedoms: []string{"clock-ahead"}}, proof.Service{Freedoms: []string{"clock-behind"}}},
		{"the same freedom", proof.Service{Freedoms: []string{"random-order"}}, proof.Service{Freedoms: []string{"random-order"}}},
		{"a part", proof.Service{ReadOnly: true, Animals: 30}, proof.Service{ReadOnly: true, Animals: 40}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			here, a := sent(t, row.here)
			_, b := sent(t, row.there)
			if r := Targets(here, a, b); text(r) != "  nothing\n" || r.Verdict != here.Verdict {
				t.Errorf("%s %q\n%s", r.Verdict, r.Reasons, text(r))
			}
		})
	}
}

// TestDeviations: a must that the target breaks and the other keeps breaks SERVICE-5 too. One that both break does not, nor one that
// only the other breaks: it is told.
func TestDeviations(t *testing.T) {
	plain, recording := sent(t, proof.Service{})
	for _, name := range []string{"limit-defaults-to-10"} {
		d, broken := sent(t, proof.Service{Deviations: []string{name}, Patience: 100 * time.Millisecond})
		for _, row := range []struct {
			name        string
			here        verdict.Results
			a, b        *exchange.Recording
			alike       verdict.Verdict
			told        bool
			whole, side string
		}{
			{"there", plain, recording, broken, verdict.Passed, true, "conforms", "broken at"},
			{"here", d, broken, recording, verdict.Failed, true, "deviates", "broken at"},
			{"both", d, broken, broken, verdict.Passed, false, "deviates", ""},
			{"neither", plain, recording, recording, verdict.Passed, false, "conforms", ""},
		} {
			t.Run(name+" "+row.name, func(t *testing.T) {
				r := Targets(row.here, row.a, row.b)
				q := requirement(t, r, proves)
				if q.Verdict != row.alike || (len(r.Against.Requirements) > 0) != row.told || string(r.Verdict) != row.whole {
					t.Errorf("%s is %s, %d requirements differ, the run %s; %s, %t, %s is wanted\n%s", proves, q.Verdict, len(r.Against.Requirements), r.Verdict, row.alike, row.told, row.whole, text(r))
				}
				c := r.Checks[len(r.Checks)-1]
				says := c.Evidence
				if len(c.Findings) > 0 {
					says = c.Findings[0].Actual
				}
				if !strings.Contains(says, row.side) || row.told != strings.HasSuffix(says, ": LIST-5") {
					t.Errorf("it says %q", says)
				}
			})
		}
	}
}

func requirement(t *testing.T, r verdict.Results, id spec.ID) verdict.Requirement {
	t.Helper()
	for _, q := range r.Requirements {
		if q.ID == id {
			return q
		}
	}
	t.Fatalf("the results lack %s", id)
	return verdict.Requirement{}
}

// TestUnsound: what a run without a verdict shows proves neither drift nor its absence.
func TestUnsound(t *testing.T) {
	plain, recording := sent(t, proof.Service{})
	cut := *recording
	cut.Exchanges, cut.End = cut.Exchanges[:20], nil
	r := Targets(plain, recording, &cut)
	if q := requirement(t, r, proves); q.Verdict != verdict.Inconclusive || r.Verdict != verdict.NoVerdict || !strings.Contains(q.Reason, "has no verdict") {
		t.Errorf("%s is %s (%s), the run %s; inconclusive and no verdict are wanted", proves, q.Verdict, q.Reason, r.Verdict)
	}
}
