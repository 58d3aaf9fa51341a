package load

import (
	"context"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func isolationPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Isolation, Title: "The overload of one key does not affect another key",
			Proves: []spec.ID{"RATE-10"}, Judge: judge.Isolation},
		planned: func(c *Config) bool { return !c.OtherKey.IsZero() },
		cost:    func(cost) PhaseSchedule { return PhaseSchedule{Requests: controlReads + besideReads} },
		within:  record.Overload,
	}
}

const (
	// controlReads is the number of requests with the other key before the overload. They show whether someone else
	// uses it.
	controlReads = 3
	// besideReads is the number of requests with the other key during and after the overload.
	besideReads = 6
	// controlApart is the time between two requests before the overload: 1/200 of a minute, which is 0.3 s.
	controlApart = 200
)

// beside sends n requests with the other key, one after the other.
func (l *lane) beside(ctx context.Context, role record.Role, n int) error {
	if !l.run.cfg.has(record.Isolation) {
		return nil
	}
	for i := range n {
		if i > 0 && role == record.Control {
			if err := l.wait(ctx, time.Now().Add(l.run.cfg.Minute/controlApart), "between two looks with the other key"); err != nil {
				return err
			}
		}
		_, err := l.side.Run(ctx, sender.Attack{Phase: record.Isolation, Round: 1, Budget: 1, Workers: 1, Next: lists(role)})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
