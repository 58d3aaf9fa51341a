package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"petconform/spec"
)

// Format names the layout of a recording; a reader refuses another.
const Format = "petconform/recording/1"

// Meta is the first line of a recording: what a judge has to know beside the exchanges.
type Meta struct {
	Format string `json:"format"`
	// Kind is check or load.
	Kind string `json:"kind"`
	// Tool is the version of petconform that recorded.
	Tool string `json:"tool"`
	// Target is the base address, without user information.
	Target string `json:"target"`
	// Reference says that the target was the built-in reference service; Build and Environment name what ran there.
	Reference   bool   `json:"reference,omitempty"`
	Build       string `json:"build,omitempty"`
	Environment string `json:"environment,omitempty"`
	// Run is a random name of the run; the animals that it creates carry it in theirs.
	Run string `json:"run"`
	// Seed makes the choices of the run; the same seed chooses the same.
	Seed    uint64    `json:"seed"`
	Started time.Time `json:"started"`
	// AsOf is the day that dated requirements are judged by.
	AsOf       time.Time `json:"asOf"`
	CategoryID int64     `json:"categoryId"`
	ReadOnly   bool      `json:"readOnly,omitempty"`
	Strict     bool      `json:"strict,omitempty"`
	// Planned lists the checks that were to run. A check of it without exchanges was not run.
	Planned []string `json:"planned,omitempty"`
	// Filtered says that checks were left out by choice, so that a pass speaks of a part only.
	Filtered bool `json:"filtered,omitempty"`
	// Plan names the plan of the key, where the run knows it.
	Plan string `json:"plan,omitempty"`
	// Settings holds what a load run was told, for its own judge.
	Settings json.RawMessage `json:"settings,omitempty"`
}

// End is the last line of a recording. Without it the run was killed.
type End struct {
	Ended time.Time `json:"ended"`
	// Stopped says why the run ended before it was through; empty when it was through.
	Stopped string `json:"stopped,omitempty"`
	// Skipped gives, by check, why nothing was sent for it.
	Skipped map[string]string `json:"skipped,omitempty"`
	// Waited is the time spent waiting for the target's allowance.
	Waited time.Duration `json:"waitedNs,omitempty"`
}

// Recording is a run as it was sent.
type Recording struct {
	Meta      Meta
	Exchanges []Exchange
	// End is nil when the run was killed.
	End *End
	// Torn says that the last line was cut off and left out.
	Torn bool
}

// Through says whether the run sent all that it had planned to.
func (r *Recording) Through() bool { return r.End != nil && r.End.Stopped == "" && !r.Torn }

// Of gives the exchanges that a check sent, in the order of sending.
func (r *Recording) Of(check string) []Exchange {
	var own []Exchange
	for _, x := range r.Exchanges {
		if x.Check == check {
			own = append(own, x)
		}
	}
	return own
}

type line struct {
	Meta     *Meta     `json:"meta,omitempty"`
	Exchange *Exchange `json:"exchange,omitempty"`
	End      *End      `json:"end,omitempty"`
}

// Writer writes a recording as JSON lines, each complete when Write returns, so that a killed run can be judged.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter begins a recording.
func NewWriter(w io.Writer, meta Meta) (*Writer, error) {
	meta.Format = Format
	rw := &Writer{w: w}
	return rw, rw.put(line{Meta: &meta})
}

// Write adds an exchange. It may be called from several goroutines.
func (w *Writer) Write(x Exchange) error { return w.put(line{Exchange: &x}) }

// End closes the recording with its last line.
func (w *Writer) End(e End) error { return w.put(line{End: &e}) }

func (w *Writer) put(l line) error {
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.w.Write(append(data, '\n'))
	return err
}

// Bounds of what a reader takes, against files that were not written by petconform.
const (
	maxLine      = 64 << 20
	maxExchanges = 2_000_000
)

// Read reads a recording. A last line that is cut off is left out (Torn); any other defect is an error that names its line.
// Exchanges come back in the order of sending, whatever the order of writing.
func Read(r io.Reader) (*Recording, error) {
	rec := &Recording{}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 1; in.Scan(); n++ {
		if rec.Torn {
			return nil, fmt.Errorf("line %d: more follows after a line that is no JSON; the file is not a recording or was damaged", n-1)
		}
		if len(in.Bytes()) == 0 {
			continue
		}
		if err := rec.add(n, in.Bytes()); err != nil {
			return nil, err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d MiB; the file is not a recording", maxLine>>20)
	} else if err != nil {
		return nil, err
	}
	if rec.Meta.Format == "" {
		return nil, errors.New("no recording: its first line, {\"meta\": …}, is wanted, and the file has none")
	}
	slices.SortStableFunc(rec.Exchanges, func(a, b Exchange) int { return a.N - b.N })
	for i := 1; i < len(rec.Exchanges); i++ {
		if n := rec.Exchanges[i].N; n == rec.Exchanges[i-1].N {
			return nil, fmt.Errorf("two exchanges have the number %d; the file was put together from several, or changed", n)
		}
	}
	return rec, nil
}

func (r *Recording) add(n int, data []byte) error {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		if n == 1 {
			return fmt.Errorf("line 1: {\"meta\": …} with format %q is wanted: %w", Format, err)
		}
		r.Torn = true
		return nil
	}
	switch {
	case l.Meta != nil && n > 1, l.Meta == nil && n == 1:
		return fmt.Errorf("line %d: {\"meta\": …} is wanted on the first line, and there only", n)
	case l.Meta != nil && l.Meta.Format != Format:
		return fmt.Errorf("line 1: format %q is wanted, not %q; judge it with the petconform that recorded it", Format, l.Meta.Format)
	case l.Meta != nil:
		r.Meta = *l.Meta
	case l.End != nil && l.End.Waited < 0:
		return fmt.Errorf("line %d: the run waited for %s, which can't be", n, l.End.Waited)
	case l.End != nil:
		r.End = l.End
	case l.Exchange == nil:
		return fmt.Errorf("line %d: neither an exchange nor an end", n)
	case len(r.Exchanges) >= maxExchanges:
		return fmt.Errorf("line %d: more than %d exchanges", n, maxExchanges)
	default:
		return r.addExchange(n, *l.Exchange)
	}
	return nil
}

func (r *Recording) addExchange(n int, x Exchange) error {
	switch {
	case x.N < 1:
		return fmt.Errorf("line %d: exchange number %d; numbers begin at 1", n, x.N)
	case x.Response == nil && x.Failure == nil:
		return fmt.Errorf("line %d: exchange %d has neither a response nor a failure", n, x.N)
	case x.Response != nil && (x.Response.Status < 100 || x.Response.Status > 999):
		return fmt.Errorf("line %d: exchange %d has the status %d; HTTP has 100 to 999", n, x.N, x.Response.Status)
	case x.Response != nil && x.Response.Size < 0:
		return fmt.Errorf("line %d: exchange %d has a body of %d bytes, which can't be", n, x.N, x.Response.Size)
	case x.Sent.IsZero() || x.Done < 0 || x.FirstByte > x.Done:
		return fmt.Errorf("line %d: exchange %d was sent at %s, with the first byte after %s and the end after %s, which can't be",
			n, x.N, x.Sent.UTC().Format(time.RFC3339), x.FirstByte, x.Done)
	}
	// The operation follows from the request; a recording that says otherwise would be judged by the wrong rules.
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	r.Exchanges = append(r.Exchanges, x)
	return nil
}
