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
		Phase:   judge.Phase{ID: record.Isolation, Title: "Another key is left alone", Proves: []spec.ID{"RATE-10"}, Judge: judge.Isolation},
		planned: func(c *Config) bool { return !c.OtherKey.IsZero() },
		cost:    func(cost) PhaseSchedule { return PhaseSchedule{Requests: controlReads + besideReads} },
		within:  record.Overload,
	}
}

const (
	// controlReads is the number of reads with the other key before the overload. Its allowance must not change by itself.
	controlReads = 3
	// besideReads is the number of reads with it during and after the overload.
	besideReads = 6
)

// beside reads with the other key.
func (l *lane) beside(ctx context.Context, role record.Role, n int) error {
	if !l.run.cfg.has(record.Isolation) {
		return nil
	}
	for i := range n {
		if i > 0 && role == record.Control {
			if err := l.wait(ctx, time.Now().Add(l.run.cfg.Minute/200), "between two looks with the other key"); err != nil {
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
