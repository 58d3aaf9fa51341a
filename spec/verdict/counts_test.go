package verdict

import (
	"slices"
	"testing"

	"petconform/spec"
)

// TestBroken: a failed check breaks what its findings name, each once, or all that it proves.
func TestBroken(t *testing.T) {
	c := Check{Requirements: []spec.ID{"LIST-1", "LIST-3"}}
	if got := c.Broken(); !slices.Equal(got, c.Requirements) {
		t.Errorf("without a finding it breaks %v; %v are wanted", got, c.Requirements)
	}
	c.Findings = []Finding{{Requirement: "LIST-3"}, {Requirement: "LIST-3"}}
	if got := c.Broken(); !slices.Equal(got, []spec.ID{"LIST-3"}) {
		t.Errorf("it breaks %v; LIST-3 is wanted", got)
	}
}

// TestFind: a requirement is found by its id, under a verdict that every table has.
func TestFind(t *testing.T) {
	r := Results{Requirements: []Requirement{{ID: "LIST-1", Level: spec.Must, Verdict: Passed}, {ID: "LIST-3", Level: spec.Must, Verdict: Waived},
		{ID: "AUTH-7", Level: spec.Should, Verdict: Failed}}}
	for _, q := range r.Requirements {
		if found, known := r.Requirement(q.ID); !known || found.Verdict != q.Verdict || !slices.Contains(Order(), q.Verdict) {
			t.Errorf("%s is %v, %t", q.ID, found, known)
		}
	}
	if _, known := r.Requirement("LIST-99"); known || r.Counts("LIST-99") || r.Counts("AUTH-7") || !r.Counts("LIST-3") {
		t.Error("LIST-3 alone counts: a should does not, and LIST-99 is unknown")
	}
}
