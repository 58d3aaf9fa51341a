package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// partSize is the number of exchanges that rules judge at a time: 2,048. A run may have millions, and a rule that compares exchanges keeps
// all of them in memory.
const partSize = 2048

// byRules judges the responses of each key by the rules for any response, partSize at a time.
func byRules(rec *record.Recording, all []*view) ([]verdict.Check, []verdict.Observation) {
	var checks []verdict.Check
	var seen []verdict.Observation
	for _, v := range all {
		for _, row := range [][]*record.Record{v.own, v.side} {
			for chunk := range slices.Chunk(row, partSize) {
				c, o := judgePart(rec, chunk, v.window, slices.ContainsFunc(row, (*record.Record).Accepted))
				checks = mergeRules(checks, c)
				seen = mergeObservations(seen, o)
			}
		}
	}
	for i := range checks {
		settleRule(&checks[i])
		if c := &checks[i]; c.ID == fallingRule && c.Verdict == verdict.Failed && expectedOpen(rec) {
			c.Verdict, c.Findings = verdict.Inconclusive, nil
			c.Evidence, c.Reason = "", "the plans are not limited here, as the configuration expects, so nothing is counted"
		}
	}
	return checks, seen
}

// judgePart judges a part of one key's responses. If no request with the key was accepted, the key is wrong, so keyRule is left out.
func judgePart(rec *record.Recording, chunk []*record.Record, window time.Duration, accepted bool) ([]verdict.Check, []verdict.Observation) {
	plain := read(rec, chunk)
	all := slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return r.ID == keyRule && !accepted })
	checks, seen := rules.Judge(slices.DeleteFunc(slices.Clone(all), timed), plain)
	// These rules compute a bucket's refill with a real minute. A scaled target has a shorter one.
	slow := slices.DeleteFunc(slices.Clone(all), func(r rules.Rule) bool { return !timed(r) })
	more, _ := rules.Judge(slow, stretched(plain, window))
	return append(checks, more...), seen
}

// read parses a part, and the body of exchanges that are alike once.
func read(rec *record.Recording, chunk []*record.Record) *history.History {
	all, parsed := make([]history.Exchange, len(chunk)), map[*exchange.Exchange]history.Exchange{}
	for i, r := range chunk {
		x := rec.Of(r)
		one, known := parsed[r.Like]
		if !known {
			one = history.ReadExchange(x)
			parsed[r.Like] = one
		}
		one.Exchange = x
		all[i] = one
	}
	return history.From(rec.Meta, rec.End, all)
}

// keyRule is the rule that every operation accepts the key.
const keyRule = "key-accepted"

// fallingRule is the rule that X-RateLimit-Remaining goes down.
const fallingRule = "remaining-falls"

// timed reports whether a rule depends on the length of the minute.
func timed(r rules.Rule) bool { return r.ID == fallingRule }

// stretched returns a history with its times scaled so that the target's minute lasts a minute.
func stretched(h *history.History, window time.Duration) *history.History {
	if window == time.Minute {
		return h
	}
	out := *h
	out.All = slices.Clone(h.All)
	scale := float64(time.Minute) / float64(window)
	for i := range out.All {
		x := &out.All[i]
		x.Sent = h.Meta.Started.Add(time.Duration(float64(x.Sent.Sub(h.Meta.Started)) * scale))
		x.FirstByte, x.Done = time.Duration(float64(x.FirstByte)*scale), time.Duration(float64(x.Done)*scale)
	}
	return &out
}

// mergeRules adds the checks of one part to those of the parts before.
func mergeRules(all, more []verdict.Check) []verdict.Check {
	for _, c := range more {
		i := slices.IndexFunc(all, func(have verdict.Check) bool { return have.ID == c.ID })
		if i < 0 {
			all = append(all, c)
			continue
		}
		have := &all[i]
		have.Of, have.Held = have.Of+c.Of, have.Held+c.Held
		have.Exchanges = append(have.Exchanges, c.Exchanges...)
		have.Findings = verdict.FirstOfEach(append(have.Findings, c.Findings...))
		if have.ID == fallingRule && (have.Verdict == verdict.Passed || c.Verdict == verdict.Passed) {
			// One part in which Remaining falls is enough: in another it may be 0 throughout.
			have.Verdict, have.Findings = verdict.Passed, nil
			continue
		}
		have.Verdict = worse(have.Verdict, c.Verdict)
		if have.Reason == "" {
			have.Reason = c.Reason
		}
	}
	return all
}

// worse returns the verdict of two parts together: failed if one failed, else passed if one passed.
func worse(a, b verdict.Verdict) verdict.Verdict {
	for _, v := range []verdict.Verdict{verdict.Failed, verdict.Passed, verdict.Observed, verdict.Inconclusive} {
		if a == v || b == v {
			return v
		}
	}
	return a
}

// mostExchanges is the largest number of exchanges that a check lists: 100. The evidence of a rule has the number that held.
const mostExchanges = 100

func settleRule(c *verdict.Check) {
	slices.Sort(c.Exchanges)
	switch c.Verdict {
	case verdict.Failed:
		if len(c.Exchanges) > 0 {
			c.Evidence = fmt.Sprintf("first broken at exchange %d; held on %s of %s", c.Exchanges[0], spec.Number(c.Held), spec.Number(c.Of))
		}
	case verdict.Passed:
		c.Reason = ""
		c.Evidence = fmt.Sprintf("held on %s of %s", spec.Number(c.Held), spec.Number(c.Of))
	}
	c.Exchanges = c.Exchanges[:min(len(c.Exchanges), mostExchanges)]
	c.Requirements = append([]spec.ID{}, c.Requirements...)
}

func mergeObservations(all, more []verdict.Observation) []verdict.Observation {
	for _, o := range more {
		same := func(have verdict.Observation) bool { return have.Requirement == o.Requirement && have.Key == o.Key }
		if !slices.ContainsFunc(all, same) {
			all = append(all, o)
		}
	}
	return all
}
