package judge

import (
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// outcome is the result of one phase for one key.
type outcome struct {
	findings []verdict.Finding
	// unsure are the requirements that are inconclusive, with the reasons.
	unsure []doubt
	// shown are the requirements that hold.
	shown    []spec.ID
	evidence []string
	// seen are observations of what the interface does not specify.
	seen []verdict.Observation
	// exchanges are the numbers of the exchanges that show the result.
	exchanges []int
}

// doubt is the reason why a requirement is inconclusive.
type doubt struct {
	requirement spec.ID
	why         string
}

// fail adds a finding, unless the requirement has one. at is the record of its exchange, or nil.
func (o *outcome) fail(id spec.ID, at *record.Record, message, expected, actual string) {
	f := verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual}
	if at != nil {
		f.Exchange = at.N
		o.exchanges = append(o.exchanges, at.N)
	}
	if !o.failed(id) {
		o.findings = append(o.findings, f)
	}
}

func (o *outcome) doubt(id spec.ID, format string, args ...any) {
	o.unsure = append(o.unsure, doubt{id, fmt.Sprintf(format, args...)})
}

func (o *outcome) show(format string, args ...any) {
	o.evidence = append(o.evidence, fmt.Sprintf(format, args...))
}

func (o *outcome) kept(ids ...spec.ID) { o.shown = append(o.shown, ids...) }

func (o *outcome) failed(id spec.ID) bool { return verdict.Names(o.findings, id) }

// secs formats d with a precision of 10 µs below 10 ms, 1 ms below 10 s, and else 100 ms.
func secs(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
