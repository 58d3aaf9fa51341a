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

// byRules judges the responses of each key by the rules for any response, partSize at a time. If no request with a key was
// accepted, the key is wrong, so a rule on the key is left out. A rule that computes a refill gets times of a real minute,
// and is left out if the plans are not limited, as the configuration expects.
func byRules(rec *record.Recording, all []*View) (checks []verdict.Check, seen []verdict.Observation) {
	open := expectedOpen(rec)
	for _, v := range all {
		for _, row := range [][]*record.Record{v.own, v.side} {
			accepted := slices.ContainsFunc(row, (*record.Record).Accepted)
			by := slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return r.OfKey && !accepted || r.Refills && open })
			for chunk := range slices.Chunk(row, partSize) {
				plain := read(rec, chunk)
				scaled := stretched(plain, v.window)
				for _, r := range by {
					h := plain
					if r.Refills {
						h = scaled
					}
					part, more := rules.Judge([]rules.Rule{r}, h)
					checks = merge(checks, part[0], r.Refills)
					for _, o := range more {
						same := func(have verdict.Observation) bool { return have.Requirement == o.Requirement && have.Key == o.Key }
						if !slices.ContainsFunc(seen, same) {
							seen = append(seen, o)
						}
					}
				}
			}
		}
	}
	for i := range checks {
		settle(&checks[i])
	}
	return checks, seen
}

// merge adds the check of a part of a run. once says that one part with a pass is enough: in another, Remaining may be 0
// throughout.
func merge(checks []verdict.Check, c verdict.Check, once bool) []verdict.Check {
	i := slices.IndexFunc(checks, func(have verdict.Check) bool { return have.ID == c.ID })
	switch {
	case !once || i < 0 || checks[i].Verdict != verdict.Passed && c.Verdict != verdict.Passed:
		return verdict.MergeCheck(checks, c)
	case c.Verdict == verdict.Passed:
		checks[i] = c
	}
	return checks
}

// settle completes a merged check.
func settle(c *verdict.Check) {
	c.Findings = verdict.FirstOfEach(c.Findings)
	slices.Sort(c.Exchanges)
	c.Exchanges = c.Exchanges[:min(len(c.Exchanges), mostExchanges)]
	if c.Verdict == verdict.Failed || c.Verdict == verdict.Passed {
		c.Evidence = c.Measured()
	}
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
