package record

import (
	"errors"
	"fmt"
)

// A recording is read from a file that anyone may have written. Impossible figures are refused here, since the judge divides by them.

func (s *Settings) check() error {
	switch {
	case s.Minute <= 0:
		return fmt.Errorf("minuteNs is %d: a minute lasts longer than 0", s.Minute)
	case s.Day < 0:
		return fmt.Errorf("dayNs is %d: a day does not last less than 0", s.Day)
	}
	return nil
}

func (l *Lane) check() error {
	switch {
	case l.PerMinute <= 0:
		return fmt.Errorf("perMinute of the key %q is %d: a plan has at least 1 request per minute", l.Label, l.PerMinute)
	case l.PerDay < 0 || l.SpentToday < 0:
		return fmt.Errorf("perDay of the key %q is %d, and spentToday %d: neither is less than 0", l.Label, l.PerDay, l.SpentToday)
	}
	return nil
}

func (s *Shape) check() error {
	switch {
	case s.Response == nil && s.Failure == nil:
		return errors.New("a shape has neither a response nor a failure")
	case s.Response != nil && (s.Response.Status < 100 || s.Response.Status > 999):
		return fmt.Errorf("the status of a response is %d: a status has three digits and begins at 100", s.Response.Status)
	}
	return nil
}
