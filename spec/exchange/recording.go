package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"petconform/spec"
)

// Format names the layout of a recording. Read refuses any other.
const Format = "petconform/recording/1"

// Meta is the first line of a recording: what a judge needs in addition to the exchanges.
type Meta struct {
	Format string `json:"format"`
	Kind   string `json:"kind"`   // check, load or client
	Tool   string `json:"tool"`   // the version of petconform that recorded
	Target string `json:"target"` // the base address, without user information
	// Reference says that the target was the built-in reference service; Build and Environment name what ran there.
	Reference   bool   `json:"reference,omitempty"`
	Build       string `json:"build,omitempty"`
	Environment string `json:"environment,omitempty"`
	Way         Way    `json:"way,omitempty"`
	Flags       []Flag `json:"flags,omitempty"` // those that a command line needs to reach the target again
	// Run is the random name of the run. The names of its animals contain it.
	Run        string    `json:"run"`
	Seed       uint64    `json:"seed"` // the seed of the run's random choices
	Started    time.Time `json:"started"`
	AsOf       time.Time `json:"asOf"` // the day on which requirements that have dates are judged
	CategoryID int64     `json:"categoryId"`
	ReadOnly   bool      `json:"readOnly,omitempty"`
	Strict     bool      `json:"strict,omitempty"`
	// Deep says that the run was full, and Fitted that the key's allowance decided whether it was.
	Deep   bool `json:"deep,omitempty"`
	Fitted bool `json:"fitted,omitempty"`
	// Planned lists the checks that were selected. One without exchanges was not run.
	Planned  []string `json:"planned,omitempty"`
	Filtered bool     `json:"filtered,omitempty"` // checks were left out by choice, so that the run is a part
	// Patience is the age up to which an animal may be missing from a read, since a replica may lag.
	Patience time.Duration   `json:"patienceNs,omitempty"`
	Plan     string          `json:"plan,omitempty"`     // the name of the key's plan, if the run knows it
	Settings json.RawMessage `json:"settings,omitempty"` // those of a load run or a client run, for its judge
}

// Flag is a flag of petconform with a value; a switch has none. It has no secret: a header has a variable in the place
// of its value, "X-Gate: ${GATE}".
type Flag struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// End is the last line of a recording. A recording without it is of a run that was killed.
type End struct {
	Ended time.Time `json:"ended"`
	// Stopped says why the run ended early. It is empty if the run was complete.
	Stopped  string            `json:"stopped,omitempty"`
	NoTarget bool              `json:"noTarget,omitempty"` // it was stopped because there is no service to judge
	Skipped  map[string]string `json:"skipped,omitempty"`  // the reason for each check that was not sent
	// GaveUp has the requests that a check did not send, because the budget of creations was used up.
	GaveUp   map[string][]string `json:"gaveUp,omitempty"`
	Narrowed string              `json:"narrowed,omitempty"` // why a full run went on as a quick one
	Waited   time.Duration       `json:"waitedNs,omitempty"` // the time spent waiting for the target's allowance
	// Exchanges is the number of exchanges in the file, so that a recording from which some were removed is not read.
	// Writing sets it, and reading clears it.
	Exchanges int `json:"exchanges,omitempty"`
}

// Closes returns an error if the file has another number of exchanges than End says. It clears that number.
func (e *End) Closes(exchanges int) error {
	if e == nil {
		return nil
	}
	if e.Exchanges != exchanges {
		return fmt.Errorf("the recording has %d exchanges, and its last line says %d; the file was changed", exchanges, e.Exchanges)
	}
	e.Exchanges = 0
	return nil
}

// Recording is a run as it was sent.
type Recording struct {
	Meta      Meta
	Exchanges []Exchange
	End       *End // nil when the run was killed
	Torn      bool // the last line was incomplete and was left out
}

// MaxExchanges is the largest number of exchanges in a recording of checks. In memory each takes 1 KB.
const MaxExchanges = 250_000

// Read reads a recording. It leaves out a last line that is incomplete (Torn). Any other defect is an error that names
// the line. The exchanges are in the order of sending.
func Read(r io.Reader) (*Recording, error) {
	rec := &Recording{}
	var err error
	if rec.Torn, err = Scan(r, Format, rec.add); err != nil {
		return nil, err
	}
	slices.SortStableFunc(rec.Exchanges, func(a, b Exchange) int { return a.N - b.N })
	for i := 1; i < len(rec.Exchanges); i++ {
		if n := rec.Exchanges[i].N; n == rec.Exchanges[i-1].N {
			return nil, fmt.Errorf("two exchanges have the number %d; the file was changed, or merged from several recordings", n)
		}
	}
	if err := rec.End.Closes(len(rec.Exchanges)); err != nil {
		return nil, err
	}
	return rec, nil
}

func (r *Recording) add(l *Line[Exchange]) error {
	switch {
	case l.Meta != nil:
		r.Meta = *l.Meta
	case l.End != nil:
		r.End = l.End
	case l.Exchange == nil:
		return errors.New("it is neither an exchange nor the end of the recording")
	case len(r.Exchanges) >= MaxExchanges:
		return fmt.Errorf("the recording has more than %d exchanges", MaxExchanges)
	default:
		// The operation follows from the request. Another one in the file would make the wrong rules judge the
		// exchange.
		l.Exchange.Operation = spec.OperationOf(l.Exchange.Request.Method, l.Exchange.Request.Path)
		r.Exchanges = append(r.Exchanges, *l.Exchange)
		return l.Exchange.Validate()
	}
	return nil
}

// Validate returns an error for what no exchange can have. A recording is read from a file that anyone may have
// written.
func (x *Exchange) Validate() error {
	switch {
	case x.N < 1:
		return fmt.Errorf("an exchange has the number %d; numbers begin at 1", x.N)
	case x.Response == nil && x.Failure == nil:
		return fmt.Errorf("exchange %d has neither a response nor a failure", x.N)
	case x.Response != nil && (x.Response.Status < 100 || x.Response.Status > 999):
		return fmt.Errorf("exchange %d has the status %d; use 100 to 999", x.N, x.Response.Status)
	case x.Response != nil && x.Response.Size < 0:
		return fmt.Errorf("exchange %d has a body of %d bytes; the file was changed", x.N, x.Response.Size)
	case x.Sent.IsZero() || x.Done < 0 || x.FirstByte > x.Done:
		return fmt.Errorf("exchange %d was sent at %s, with the first byte after %s and the end after %s; these times are impossible",
			x.N, x.Sent.UTC().Format(time.RFC3339), x.FirstByte, x.Done)
	}
	return nil
}

// Way has phrases that say how a target was reached, such as "through the proxy http://proxy.example:3128". It is empty
// if the target was reached directly.
type Way []string

// String is the way in one phrase.
func (w Way) String() string { return strings.Join(w.phrases(), ", ") }

// With adds the way of another run of the same target.
func (w Way) With(other Way) Way {
	if w.String() == other.String() {
		return w
	}
	return spec.With(slices.Clone(w.phrases()), other.phrases()...)
}

func (w Way) phrases() []string {
	if len(w) == 0 {
		return []string{"directly"}
	}
	return w
}
