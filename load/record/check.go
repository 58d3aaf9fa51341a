package record

import (
	"fmt"
	"time"
)

// A recording is read from a file that anyone may have written. Impossible figures are refused here, since the judge
// divides by them.

// The bounds of the figures in a recording: the time and memory of the judge grow with them.
const (
	leastMinute = 10 * time.Millisecond
	mostMinute  = 24 * time.Hour
	mostTime    = 366 * 24 * time.Hour
	mostPlan    = 1 << 40
)

func (s *Settings) check() error {
	switch {
	case s.Minute < leastMinute || s.Minute > mostMinute:
		return fmt.Errorf("minuteNs is %d: a minute lasts from %s to %s", s.Minute, leastMinute, mostMinute)
	case s.Day < 0 || s.Day > 1440*mostMinute:
		return fmt.Errorf("dayNs is %d: a day lasts from 0 to %s", s.Day, 1440*mostMinute)
	}
	return nil
}

func (l *Lane) check() error {
	switch {
	case l.PerMinute <= 0:
		return fmt.Errorf("perMinute of the key %q is %d: a plan has at least 1 request per minute", l.Label, l.PerMinute)
	case l.PerMinute > mostPlan || l.PerDay > mostPlan:
		return fmt.Errorf("the key %q has %d requests per minute and %d per day: neither is above %d", l.Label,
			l.PerMinute, l.PerDay, int64(mostPlan))
	case l.PerDay < 0:
		return fmt.Errorf("perDay of the key %q is %d: it is not less than 0", l.Label, l.PerDay)
	}
	return nil
}

// check returns an error for a number that is not the next, or refers to nothing, and for a time that is more than
// mostMinute before the run's start or more than mostTime after it.
func (r *Record) check(rec *Recording) error {
	switch {
	case r.N != len(rec.Records)+1:
		return fmt.Errorf("exchange %d has the number %d: the exchanges of a load are numbered from 1 without a gap", len(rec.Records)+1, r.N)
	case r.Lane < 0 || r.Lane >= len(rec.Lanes):
		return fmt.Errorf("exchange %d belongs to lane %d, and there are %d lanes", r.N, r.Lane, len(rec.Lanes))
	case r.FirstByte < 0:
		return fmt.Errorf("exchange %d has its first byte after %d ns: it is not below 0", r.N, r.FirstByte)
	}
	for _, d := range []time.Duration{r.Planned, r.PutOff, r.Sent, r.FirstByte, r.Done} {
		if d < -mostMinute || d > mostTime {
			return fmt.Errorf("exchange %d has the time %d ns: times count from the start of the run, and end within %s", r.N, d, mostTime)
		}
	}
	return nil
}

func (n *Note) check() error {
	if n.At < -mostMinute || n.At > mostTime || n.By < -mostTime || n.By > mostTime {
		return fmt.Errorf("a note has the times %d ns and %d ns: they count from the start of the run, and end within %s", n.At, n.By, mostTime)
	}
	return nil
}
