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
	Cost: Cost{Requests: amount{4, 4, 0},
		Usual: amount{2.5, 0, 0}, Longest: amount{6, 0, 0}},
	Steps: overloadSteps,
	Again: overloadAgain,
}

const (
	// overloadRate is the rate of the overload's tail, in multiples of the plan's rate: 2.
	overloadRate = 2
	// mostDelayed is the most requests in flight to a target that delays them: 512. A leaky bucket that delays what is
	// beyond its rate refuses a request only while it holds the plan's requests.
	mostDelayed = 512
	// overloads is how many overloads every run has: 2, since a race does not show each time. If one of them accepted
	// more or less than it should, there is a third, since a finding needs two cases.
	overloads, mostOverloads = 2, 3
)

// overloadSteps sends 1.5 times the plan's requests at once, and then at overloadRate times the plan's rate, which
// ends early when a Retry-After shows that the key was banned, which is lawful. The first round has createPets, each
// right after a 429, and requests with the other key before, during and after the overload.
func overloadSteps(l *lane, round int) []Step {
	limit, w := l.limit(), l.run.cfg.Minute
	creates, refused := 0, false
	if round == 1 && l.run.has(record.RefusedCreate) && l.scarce.n >= 0 && l.scarce.n < 100 {
		creates = refusedCreates
	}
	see := func(r *record.Record) { refused = r.Limited() }
	call := func(role record.Role) func(int) sender.Call {
		return func(int) sender.Call {
			if creates == 0 || !refused {
				return list(role)
			}
			creates, refused = creates-1, false
			return l.create(record.Press, fmt.Sprintf("refused %d", refusedCreates-1-creates), l.scarce.status)
		}
	}
	steps := []Step{{Wait: Fresh, Doing: "sending more than the plan"},
		{Role: record.Spend, Budget: limit + limit/2, Workers: concurrency, Call: call(record.Spend), See: see}}
	if round == 1 || l.oddOverloads > 0 {
		delayed := func(l *lane) bool { return !l.runner.first.limited && l.runner.first.took > w/2 }
		tail := Step{Role: record.Press, Budget: overloadRate * limit / 2, Workers: concurrency,
			Call: call(record.Press), See: see,
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
	return append(steps, l.recover()...)
}

// overloadAgain adds a round if exactly one overload accepted less than the plan, or more than a bucket can have gained.
// While the other key is used, a bucket gains a token for the request that showed the fresh allowance.
func overloadAgain(l *lane, round int) bool {
	burst, all := &l.runner.first, &l.runner.all
	tooMany := func(f *filled) bool { return float64(f.accepted-l.limit()) > l.gains(f.took)+1 }
	if l.exact {
		tooMany = func(*filled) bool { return burst.accepted > l.limit() }
	}
	if !burst.limited || burst.accepted < l.limit() || tooMany(burst) || tooMany(all) {
		l.oddOverloads++
	}
	return round < overloads || round < mostOverloads && l.oddOverloads == 1
}

var isolationPhase = Phase{
	Phase: judge.Phase{ID: record.Isolation, Title: "The overload of one key does not affect another key",
		Proves: []spec.ID{"RATE-10"}, Shows: (*judge.View).Isolation, Within: record.Overload},
	Needs: func(c *Config) bool { return !c.OtherKey.IsZero() }, Without: "it needs a second key, in PETCONFORM_KEY_OTHER",
	Cost: Cost{Requests: amount{controlReads + besideReads, 0, 0}},
}

const (
	// controlReads is the number of requests with the other key before the overload, 1/controlApart of a minute apart,
	// which is 0.3 s. They show whether someone else uses it.
	controlReads, controlApart = 3, 200
	// besideReads is the number of requests with the other key during and after the overload.
	besideReads = 6
)

// withOtherKey adds requests with the other key to the steps of an overload, before, during and after its tail. If a
// bucket also refuses the other key, that may end after its Retry-After, 1 s on Free, so requests after the overload
// would not show it.
func (l *lane) withOtherKey(steps []Step) []Step {
	apart := l.run.cfg.Minute / 2 / (besideReads - 1)
	one := Step{Phase: record.Isolation, Other: true, Role: record.Beside, Budget: 1}
	control, during := one, one
	control.Role, control.Budget, control.Every = record.Control, controlReads, l.run.cfg.Minute/controlApart
	during.Pause, during.Every, during.Budget = apart, apart, besideReads-2
	fresh, burst, tails := steps[0], steps[1], steps[2:]
	for i := range tails {
		tails[i].While = &during
	}
	all := append([]Step{fresh, control, burst, one}, append(tails[:len(tails):len(tails)], one)...)
	for i := range all {
		all[i].Exclusive = true
	}
	return all
}

var refusedCreatePhase = Phase{
	Phase: judge.Phase{ID: record.RefusedCreate, Title: "A createPet that was answered 429 created nothing",
		Proves: []spec.ID{"RATE-12"}, Shows: (*judge.View).RefusedCreate,
		After: record.Overload}, // which sends the createPets
	Needs: func(c *Config) bool { return !c.ReadOnly }, Without: "it creates animals, and --read-only creates none",
	Skip: func(l *lane) string {
		switch {
		case l.scarce.n < 0:
			return "no listing could be read, so it is not known whether one shows every animal of its status"
		case l.scarce.n >= 100:
			return record.StoreFull
		}
		return ""
	},
	Cost:  Cost{Requests: amount{1, 0, 0}, Creates: refusedCreates},
	Steps: searchSteps,
}

const (
	// refusedCreates is the largest number of createPets during the overload: 3, each right after a 429.
	refusedCreates = 3
	// banGuess is how long the search waits for the end of a ban, in the target's minutes: 3. The interface says only
	// that a ban is temporary.
	banGuess = 3
)

// searchSteps lists the animals with the status of the refused createPets, and again if the key was banned, since the
// overload sent requests after 429s.
func searchSteps(l *lane, _ int) []Step {
	steps := search(l.scarce.status, nil)
	steps[0].Doing = "searching for animals of refused createPets"
	banned := steps[0]
	banned.Pause = banGuess * l.run.cfg.Minute
	banned.If = func(l *lane) bool { return l.newest.Barred() }
	return append(steps, banned)
}
