package judge

import (
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// partSize is the number of exchanges that rules judge at a time: 2,048. A run may have millions, and a rule that
// compares exchanges keeps all of them in memory.
const partSize = 2048

// byRules judges the responses of each key by the rules for any response, partSize at a time.
func byRules(rec *record.Recording, all []*View) ([]verdict.Check, []verdict.Observation) {
	var checks []verdict.Check
	var seen []verdict.Observation
	fell := false // one part in which Remaining falls is enough: in another it may be 0 throughout
	for _, v := range all {
		for _, row := range [][]*record.Record{v.own, v.side} {
			for chunk := range slices.Chunk(row, partSize) {
				part, more := judgePart(rec, chunk, v.window, slices.ContainsFunc(row, (*record.Record).Accepted))
				for _, c := range part {
					checks = verdict.MergeCheck(checks, c)
					fell = fell || c.Verdict == verdict.Passed && refills(c.ID)
				}
				for _, o := range more {
					same := func(have verdict.Observation) bool { return have.Requirement == o.Requirement && have.Key == o.Key }
					if !slices.ContainsFunc(seen, same) {
						seen = append(seen, o)
					}
				}
			}
		}
	}
	settleRules(rec, checks, fell)
	return checks, seen
}

// settleRules completes the merged checks. fell says that Remaining fell in some part.
func settleRules(rec *record.Recording, checks []verdict.Check, fell bool) {
	for i := range checks {
		c := &checks[i]
		c.Findings = verdict.FirstOfEach(c.Findings)
		slices.Sort(c.Exchanges)
		c.Exchanges = c.Exchanges[:min(len(c.Exchanges), mostExchanges)]
		if c.Verdict == verdict.Failed && refills(c.ID) && (fell || expectedOpen(rec)) {
			c.Verdict, c.Findings, c.Evidence = verdict.Passed, nil, ""
			if !fell {
				c.Verdict = verdict.Inconclusive
				c.Reason = "the plans are not limited here, as the configuration expects, so nothing is counted"
			}
		}
		if c.Verdict == verdict.Failed || c.Verdict == verdict.Passed {
			c.Evidence = c.Measured()
		}
	}
}

// refills reports whether a rule computes a bucket's refill with a real minute.
func refills(id string) bool {
	return slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return r.Refills && r.ID == id })
}

// judgePart judges a part of one key's responses. If no request with the key was accepted, the key is wrong, so a rule on
// the key is left out. A rule that computes a refill gets times of a real minute: a scaled target has a shorter one.
func judgePart(
	rec *record.Recording, chunk []*record.Record, window time.Duration, accepted bool,
) ([]verdict.Check, []verdict.Observation) {
	plain := read(rec, chunk)
	judged := func(h *history.History, left func(r rules.Rule) bool) ([]verdict.Check, []verdict.Observation) {
		return rules.Judge(slices.DeleteFunc(rules.All(), left), h)
	}
	checks, seen := judged(plain, func(r rules.Rule) bool { return r.Refills || r.OfKey && !accepted })
	more, _ := judged(stretched(plain, window), func(r rules.Rule) bool { return !r.Refills })
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

// stretched returns a history with its times scaled so that the target's minute lasts a minute.
func stretched(h *history.History, window time.Duration) *history.History {
	out, scale := *h, float64(time.Minute)/float64(window)
	out.All = slices.Clone(h.All)
	for i := range out.All {
		x := &out.All[i]
		x.Sent = h.Meta.Started.Add(time.Duration(float64(x.Sent.Sub(h.Meta.Started)) * scale))
		x.FirstByte, x.Done = time.Duration(float64(x.FirstByte)*scale), time.Duration(float64(x.Done)*scale)
	}
	return &out
}

// mostExchanges is the largest number of exchanges that a check lists: 100. The evidence of a rule has the number that
// held.
const mostExchanges = 100
