package record

import (
	"errors"
	"fmt"
	"time"
)

// A recording is read from a file that anyone may have written. Impossible figures are refused here, since the judge
// divides by them, and since its time and memory grow with them.
const (
	leastMinute = 10 * time.Millisecond
	mostMinute  = 24 * time.Hour
	mostTime    = 366 * 24 * time.Hour
	mostPlan    = 1 << 40
)

// within returns an error for a figure that is not in a range.
func within[T ~int | ~int64](what string, n, least, most T) error {
	if n < least || n > most {
		return fmt.Errorf("%s is %d: it is from %d to %d", what, n, least, most)
	}
	return nil
}

func (s *settings) check() error {
	err := errors.Join(within("minuteNs", s.Minute, leastMinute, mostMinute), within("dayNs", s.Day, 0, 1440*mostMinute))
	for _, l := range s.Lanes {
		err = errors.Join(err, within(fmt.Sprintf("perMinute of the key %q", l.Label), l.PerMinute, 1, mostPlan),
			within(fmt.Sprintf("perDay of the key %q", l.Label), l.PerDay, 0, mostPlan))
	}
	return err
}

// check returns an error for a number that is not the next, or refers to nothing, and for a time that is more than
// mostMinute before the run's start or more than mostTime after it.
func (r *Record) check(rec *Recording) error {
	next := len(rec.Records) + 1
	err := errors.Join(within("the number of an exchange, which have no gap,", r.N, next, next),
		within(fmt.Sprintf("the lane of exchange %d", r.N), r.Lane, 0, len(rec.Lanes)-1),
		within(fmt.Sprintf("firstByteNs of exchange %d", r.N), r.FirstByte, 0, mostTime))
	for _, d := range []time.Duration{r.Planned, r.PutOff, r.Sent, r.Done} {
		err = errors.Join(err, within(fmt.Sprintf("a time of exchange %d since the start of the run, in ns,", r.N), d, -mostMinute, mostTime))
	}
	return err
}

func (n *Note) check() error {
	return errors.Join(within("atNs of a note", n.At, -mostMinute, mostTime), within("byNs of a note", n.By, -mostTime, mostTime))
}
