package load

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// faulty is a connection that panics with request number at, before it is sent or while its response is read.
type faulty struct {
	http.RoundTripper
	n      *atomic.Int64
	at     int64
	inBody bool
}

func (f faulty) RoundTrip(req *http.Request) (*http.Response, error) {
	n := f.n.Add(1)
	if n == f.at && !f.inBody {
		panic("planted in RoundTrip")
	}
	resp, err := f.RoundTripper.RoundTrip(req)
	if n == f.at && err == nil {
		resp.Body = faultyBody{resp.Body}
	}
	return resp, err
}

type faultyBody struct{ io.ReadCloser }

func (faultyBody) Read([]byte) (int, error) { panic("planted in Read") }

// TestAFaultEndsTheRun checks that a panic in any goroutine of a run ends it without a verdict and with a complete recording.
func TestAFaultEndsTheRun(t *testing.T) {
	connect := func(at int64, inBody bool) func(*Config) {
		return func(c *Config) {
			var n atomic.Int64
			connect := c.Connect
			c.Connect = func() http.RoundTripper { return faulty{connect(), &n, at, inBody} }
		}
	}
	told := func(p record.Phase, sent int) func(*Config) {
		return func(c *Config) {
			c.Progress = func(e Event) {
				if e.Phase == p && e.Sent >= sent {
					panic("planted in Progress")
				}
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*Config)
		where  string
	}{
		"a lane, at first":           {told(record.Headers, 0), "planted in Progress"},
		"a lane, in the overload":    {told(record.Overload, 100), "planted in Progress"},
		"a worker, first request":    {connect(1, false), "planted in RoundTrip"},
		"a worker, in the fill":      {connect(30, false), "planted in RoundTrip"},
		"a worker, in the overload":  {connect(400, false), "planted in RoundTrip"},
		"a worker, reading the body": {connect(50, true), "planted in Read"},
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			faults := 0
			res, rec := scene{change: func(cfg *Config) {
				c.change(cfg)
				cfg.Recording = &file
				cfg.Fault = func(value any, stack string) {
					if faults++; value != c.where || !strings.Contains(stack, "fault_test.go") {
						t.Errorf("%v; want the panic %q with its stack\n%s", value, c.where, stack)
					}
				}
			}}.play(t)
			want := "the run was aborted: petconform has a fault of its own: " + c.where
			if faults != 1 || rec.End.Stopped != want || res.Verdict != verdict.NoVerdict || res.Reasons[0] != want {
				t.Errorf("%d faults, %q, %s: %q", faults, rec.End.Stopped, res.Verdict, res.Reasons)
			}
			if again, err := record.Read(&file); err != nil || len(again.Records) != len(rec.Records) || again.End == nil {
				t.Errorf("the recording of %d requests can't be read again: %v", len(rec.Records), err)
			}
		})
	}
}
