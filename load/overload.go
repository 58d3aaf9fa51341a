package load

import (
	"fmt"
	"time"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

var overloadPhase = Phase{
	Phase: judge.Phase{ID: record.Overload,
		Title:  "Under overload the plan's requests are accepted, and the others are answered 429",
		Proves: []spec.ID{"RATE-14", "RATE-6"}, Spends: true, Adds: true, Shows: (*judge.View).Overload,
		Breaks: map[limiter.What][]spec.ID{limiter.Over: {"RATE-14", "RATE-6"}, limiter.Early: {"RATE-14"},
			judge.No429: {"RATE-14"}}},
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: int(4 + 9*p.PerMinute/2), Usual: 5 * minute / 2, Longest: 6 * minute}
	},
	Steps: overload,
	Again: func(l *lane) bool { return l.round.n < usualOverloads || l.round.n < mostOverloads && l.unclear() },
}

const (
	// overloadRate is the rate of the overload's tail, in multiples of the plan's rate: 3.
	overloadRate = 3
	// mostDelayed is the most requests in flight to a target that delays them: 512. A leaky bucket that delays what is
	// beyond its rate refuses a request only while it holds the plan's requests, which the tail adds to within half a minute.
	mostDelayed = 512
	// usualOverloads is how many overloads every run has: 2, since a race does not show each time. If one did not end as
	// planned, there is a third: a finding needs two cases, and a timer of a bucket may explain two.
	usualOverloads, mostOverloads = 2, 3
	// refusedCreates is the largest number of createPets during the overload: 3, each after a 429.
	refusedCreates = 3
	// controlReads is the number of requests with the other key before the overload, 1/controlApart of a minute apart,
	// which is 0.3 s. They show whether someone else uses it.
	controlReads, controlApart = 3, 200
	// besideReads is the number of requests with the other key during the tail of the overload, from its begin to its end.
	besideReads = 6
)

// overload sends 1.5 times the plan's requests at once, and then for half a minute at overloadRate times the plan's
// rate, which ends early when a response shows that the key was banned, which is lawful. The first round has createPets,
// after 429s, and requests with the other key before and during its tail. If a bucket also refuses the other key, that may
// end after its Retry-After, 1 s on Free, so requests after the overload would not show it.
func overload(l *lane) []Step {
	limit, w, first, planned := l.limit(), l.run.cfg.Minute, l.round.n == 1, l.run.rec.Settings
	creates := 0
	if first && planned.Has(record.RefusedCreate) && l.scarce >= 0 && l.scarce < spec.MaxLimit {
		creates = refusedCreates
	}
	call := func(i int) sender.Call {
		if creates == 0 || !l.refused() {
			return list(i)
		}
		creates--
		return l.create(fmt.Sprintf("refused %d", creates), scarce)
	}
	tail := Step{Role: record.Press, Budget: overloadRate * limit / 2, Workers: min(limit+mostPast, mostDelayed), Call: call,
		Spread: true}
	tail.Every = w / 2 / time.Duration(tail.Budget)
	steps := l.fresh("sending more than the plan", 0)
	if first && planned.Has(record.Isolation) {
		steps = append(steps, Step{Phase: record.Isolation, Other: true, Role: record.Control, Budget: controlReads,
			Every: w / controlApart})
		tail.While = &Step{Phase: record.Isolation, Other: true, Role: record.Beside, Budget: besideReads,
			Every: w / 2 / (besideReads - 1)}
	}
	steps = append(steps, Step{Role: record.Spend, Budget: limit + limit/2, Workers: concurrency, Call: call})
	if first || l.unclear() {
		steps = append(steps, tail)
	}
	return append(steps, l.recover()...)
}

var isolationPhase = Phase{
	Phase: judge.Phase{ID: record.Isolation, Title: "The overload of one key does not affect another key",
		Proves: []spec.ID{"RATE-10"}, Shows: (*judge.View).Isolation, Within: record.Overload},
	Needs: func(c *Config) bool { return !c.OtherKey.IsZero() }, Without: "it needs a second key, in PETCONFORM_KEY_OTHER",
	Cost: func(spec.Plan, time.Duration) Schedule { return Schedule{Requests: controlReads + besideReads} },
}

var refusedCreatePhase = Phase{
	Phase: judge.Phase{ID: record.RefusedCreate, Title: "A createPet that was answered 429 created nothing",
		Proves: []spec.ID{"RATE-12"}, Shows: (*judge.View).RefusedCreate,
		After: record.Overload}, // which sends the createPets
	Needs: func(c *Config) bool { return !c.ReadOnly }, Without: "it creates animals, and --read-only creates none",
	Cost: func(spec.Plan, time.Duration) Schedule { return Schedule{Requests: 1, Creates: refusedCreates} },
	Steps: func(l *lane) []Step {
		switch {
		case l.scarce < 0:
			l.skip(record.RefusedCreate, "no listing of pending animals could be read, so it is not known whether one shows all")
		case l.scarce >= spec.MaxLimit:
			l.skip(record.RefusedCreate, record.StoreFull)
		default:
			return search("searching for animals of refused createPets")
		}
		return nil
	},
}
