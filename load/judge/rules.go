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

// byRules judges the responses of each key by the rules for any response, partSize at a time, and adds to the results what
// these observe, and the animals that the run left on the target. If no request with a key was accepted, the key is wrong,
// so a rule on the key is left out. A rule that computes a refill gets times of a real minute and the first part only,
// since in a later one Remaining may be 0 throughout; it is left out if the plan is not limited, as the configuration
// expects.
func byRules(rec *record.Recording, all []*View, res *verdict.Results) (checks []verdict.Check) {
	judge := func(h *history.History, without func(rules.Rule) bool) {
		part, seen := rules.Judge(slices.DeleteFunc(rules.All(), without), h)
		for _, c := range part {
			checks = verdict.MergeCheck(checks, c)
		}
		for _, o := range seen {
			same := func(have verdict.Observation) bool { return have.Requirement == o.Requirement && have.Key == o.Key }
			if !slices.ContainsFunc(res.Observations, same) {
				res.Observations = append(res.Observations, o)
			}
		}
	}
	for _, v := range all {
		for _, row := range [][]*record.Record{v.own, v.side} {
			accepted := slices.ContainsFunc(row, (*record.Record).Accepted)
			for i, chunk := range slices.Collect(slices.Chunk(row, partSize)) {
				part := read(rec, chunk)
				for _, c := range part.Created() {
					res.Created = append(res.Created, c.Result())
				}
				judge(part, func(r rules.Rule) bool { return r.Refills || r.OfKey && !accepted })
				if i == 0 && !v.expectedOpen() {
					judge(stretched(part, v.window), func(r rules.Rule) bool { return !r.Refills })
				}
			}
		}
	}
	slices.SortFunc(res.Created, func(a, b verdict.Created) int { return a.Exchange - b.Exchange })
	return checks
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

// stretched scales the times of a history so that the target's minute lasts a minute.
func stretched(h *history.History, window time.Duration) *history.History {
	scale := func(d time.Duration) time.Duration {
		return time.Duration(float64(d) * float64(time.Minute) / float64(window))
	}
	for i := range h.All {
		x := &h.All[i]
		x.Sent, x.FirstByte, x.Done = h.Meta.Started.Add(scale(x.Sent.Sub(h.Meta.Started))), scale(x.FirstByte), scale(x.Done)
	}
	return h
}
