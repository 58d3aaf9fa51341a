package load

import (
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

var overloadPhase = Phase{
	ID: record.Overload, Title: "Under overload the plan's requests are accepted, and the others are answered 429",
	Proves: []spec.ID{"RATE-14", "RATE-6"},
	Cost:   Cost{Requests: amount{4, 4, 0}, Most: amount{12, 7.5, 0}, Rounds: overloads, Usual: amount{2.5, 0, 0}, Longest: amount{6, 0, 0}},
	Rounds: []Rounds{{Steps: overloadSteps, Again: overloadAgain}},
}

const (
	// overloadRate is the rate of the overload's tail, in multiples of the plan's rate: 2.
	overloadRate = 2
	// mostDelayed is the most requests in flight to a target that delays them: 512. A leaky bucket that delays what is
	// beyond its rate refuses a request only while it holds the plan's requests.
	mostDelayed = 512
	// overloads is how many overloads every run has: 2, since a race does not show each time. If one of them accepted
	// more or less than it should, there is a third, since a finding needs two cases. Later overloads have a tail
	// only if more was accepted before than a bucket can have gained.
	overloads, mostOverloads = 2, 3
)

// pressed is what a lane remembers of its overloads: how many accepted more or less than they should, and whether the
// last one accepted more than a bucket can have gained.
type pressed struct {
	odd     int
	tooMany bool
}

// overloadSteps sends 1.5 times the plan's requests at once, and then at overloadRate times the plan's rate, which
// ends early when a Retry-After shows that the key was banned, which is lawful. The first round has createPets, each
// right after a 429, and requests with the other key before, during and after the overload.
func overloadSteps(l *lane, round int) []Step {
	limit, w := l.limit(), l.run.cfg.Minute
	calls := &createsAfter429{lane: l}
	if round == 1 && l.run.has(record.RefusedCreate) && l.scarce.n >= 0 && l.scarce.n < 100 {
		calls.left = refusedCreates
	}
	steps := []Step{{Wait: Fresh, Doing: "sending more than the plan"},
		{Role: record.Spend, Budget: limit + limit/2, Workers: concurrency, Call: calls.next(record.Spend), See: calls.see}}
	if round == 1 || l.pressed.tooMany {
		delayed := func(l *lane) bool { return !l.runner.first.limited && l.runner.first.took > w/2 }
		tail := Step{Role: record.Press, Budget: overloadRate * limit / 2, Workers: concurrency,
			Call: calls.next(record.Press), See: calls.see,
			Ends: func(r *record.Record) bool { return r.Limited() && r.WaitsLong(w) },
			If:   func(l *lane) bool { return !delayed(l) }}
		tail.Every = w / 2 / time.Duration(tail.Budget)
		flood := tail // to a target that delays requests before it refuses one
		flood.Budget, flood.Every, flood.Workers, flood.If = limit+limit/4, 0, min(limit+mostPast, mostDelayed), delayed
		steps = append(steps, tail, flood)
	}
	if round == 1 && l.run.has(record.Isolation) {
		steps = l.withOtherKey(steps)
	}
	return append(steps, l.recover(30+round)...)
}

// overloadAgain adds a round if exactly one overload accepted more than a bucket can have gained, or another number
// than the plan's and what a bucket may have gained. While the other key is used, a bucket gains a token for the
// request that showed the fresh allowance.
func overloadAgain(l *lane, round int) bool {
	tooMany := func(f *filled) bool { return !l.exact && float64(f.accepted-l.limit()) > l.gains(f.took)+1 }
	burst, all := &l.runner.first, &l.runner.all
	more := !l.exact && burst.accepted > l.limit() && !tooMany(burst)
	served := burst.limited && (burst.accepted == l.limit() || more)
	if l.pressed.tooMany = tooMany(all); l.pressed.tooMany || !served {
		l.pressed.odd++
	}
	return round < overloads || round < mostOverloads && l.pressed.odd == 1
}

// createsAfter429 are the calls of an overload: listPets, and right after a 429 a createPet, which has to be refused.
type createsAfter429 struct {
	lane *lane
	// left is how many createPets are still to be sent.
	left    int
	refused bool
}

func (c *createsAfter429) next(role record.Role) func(int) sender.Call {
	return func(int) sender.Call {
		if c.left == 0 || !c.refused {
			return list(role)
		}
		c.left, c.refused = c.left-1, false
		return c.lane.create(record.Press, fmt.Sprintf("refused %d", refusedCreates-1-c.left), c.lane.scarce.status)
	}
}

func (c *createsAfter429) see(r *record.Record) { c.refused = r.Limited() }
