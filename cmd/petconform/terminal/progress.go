package terminal

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/spec"
)

// Progress prints the progress of a run in lines: what happens, and every now and then how far the run is.
type Progress struct {
	out *Output
	now func() time.Time

	mu   sync.Mutex
	last time.Time             // of the newest line
	why  string                // the reason of the last wait
	keys map[string]load.Event // the newest event of each key of a load
}

// NewProgress returns a Progress that prints to w.
func NewProgress(w *Output) *Progress {
	return &Progress{out: w, now: time.Now, last: time.Now(), keys: map[string]load.Event{}}
}

const (
	// longWait is the shortest wait that is told although the last had the same reason.
	longWait = 5 * time.Second
	// silence is the longest time without a line.
	silence = 10 * time.Second
	// toldKeys is the largest number of keys whose phases are told one by one.
	toldKeys = 16
)

// Start prints what a check will send, and where to.
func (p *Progress) Start(cfg conformance.Config, plan run.Plan) {
	where := append([]string{cfg.Base.String()}, cfg.Way...)
	if cfg.Reference {
		where = append(where, "the built-in reference service")
	}
	p.say("Checking %s", strings.Join(where, ", "))
	requests, creates := plan.Count()
	size := ""
	if !cfg.Fitted {
		size = "; about " + spec.Count(requests, "request")
	}
	p.say("Checks and rules: %d%s", len(plan.Judged), size)
	if creates = min(creates, cmp.Or(cfg.Wanted, cfg.MaxCreates)); creates > 0 { // more by a target that accepts what it has to refuse
		p.say("Animals to create: about %d, at most %d. They stay: there is no delete.", creates, cfg.MaxCreates)
	}
}

// Check shows an event of a check.
func (p *Progress) Check(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Waiting != "" && (e.Waiting != p.why || e.Wait >= longWait):
		p.why = e.Waiting
		p.say("Waiting %s: %s", max(time.Second, e.Wait.Round(time.Second)), e.Waiting)
	case p.now().Sub(p.last) >= silence:
		p.say("%s sent, about %d planned", spec.Count(e.Requests, "request"), e.Planned)
	}
}

// Load shows an event of a load: a line for each phase of a key, and one after each silence.
func (p *Progress) Load(e load.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, known := p.keys[e.Label]
	p.keys[e.Label] = e
	begins := (!known || before.Phase != e.Phase || before.Round != e.Round) && len(p.keys) <= toldKeys
	if !begins && p.now().Sub(p.last) < silence {
		return
	}
	left := ""
	if e.Left >= time.Second { // else the estimate has run out, and the run goes on
		left = ", about " + inWords(e.Left) + " left"
	}
	p.say("%s: %s (%d sent, %d accepted, %d refused%s)", e.Label, e.Doing, e.Sent, e.Accepted, e.Refused, left)
}

// Stopped prints what stopped the run, at once.
func (p *Progress) Stopped(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say("Stopped: %v. Waiting for requests in flight.", cause)
}

func (p *Progress) say(format string, args ...any) {
	p.last = p.now()
	p.out.Sentence(format, args...)
}

// Schedule says beforehand what a load run will send.
func (o *Output) Schedule(target string, s load.Schedule) {
	creates := "no new animal"
	if s.Creates > 0 {
		creates = "at most " + spec.Count(s.Creates, "new animal")
	}
	o.Sentence("Load on %s: about %s and %s, in about %s; up to %s if the limiter is a sliding counter", target,
		spec.Count(s.Requests, "request"), creates, inWords(s.Usual), inWords(s.Longest))
	for _, k := range s.Parts {
		if len(s.Parts) > 8 { // of many keys the sum says enough
			break
		}
		fmt.Fprintf(o, "  %s: %s", k.Name, spec.Count(k.Requests, "request"))
		if k.OfDay > 0 {
			fmt.Fprintf(o, ", %.0f %% of its day", 100*k.OfDay)
		}
		fmt.Fprintln(o)
		for _, p := range k.Parts {
			fmt.Fprintf(o, "    %-14s %6s, up to %s\n", p.Name, spec.Number(p.Requests), max(time.Second, p.Longest.Round(time.Second)))
		}
	}
}

// inWords formats a time as a person says it: 45 seconds, 11 minutes, 3 hours.
func inWords(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return spec.Count(int(d.Round(time.Second).Seconds()), "second")
	case d < 90*time.Minute:
		return spec.Count(int(d.Round(time.Minute).Minutes()), "minute")
	}
	return spec.Count(int(d.Round(time.Hour).Hours()), "hour")
}
