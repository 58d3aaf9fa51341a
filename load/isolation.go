package load

import (
	"petconform/load/record"
	"petconform/spec"
)

var isolationPhase = Phase{
	ID: record.Isolation, Title: "The overload of one key does not affect another key",
	Proves: []spec.ID{"RATE-10"}, Within: record.Overload,
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
	one := Step{Phase: record.Isolation, Round: 1, Key: Other, Role: record.Beside, Budget: 1}
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
