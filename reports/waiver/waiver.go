// Package waiver reads the file of failures that a release may go out with, and excuses exactly those, until they end.
package waiver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"petconform/spec"
	"petconform/spec/bounded"
	"petconform/spec/verdict"
)

// Waiver excuses the failure of a requirement, whichever check found it.
type Waiver struct {
	// ID names the waiver in reports; it does not change when the waiver is prolonged.
	ID          string  `yaml:"id"`
	Requirement spec.ID `yaml:"requirement"`
	// Reason says why the failure is not fixed before the release, and Risk how it affects clients. Ticket is for the fix.
	Reason   string `yaml:"reason"`
	Risk     string `yaml:"risk"`
	Ticket   string `yaml:"ticket"`
	Owner    string `yaml:"owner"`
	Approver string `yaml:"approver"`
	// From and Ends are days in UTC. The waiver is in force from the beginning of From to the end of the day before
	// Ends, for at most a year.
	From spec.Date `yaml:"from"`
	Ends spec.Date `yaml:"ends"`
}

// State says whether a waiver is in force on a day, and whether the run needed it.
type State string

// The states of a waiver. Only one that is used excuses a failure. One that is unused is in force, but what it names
// did not fail; what an unknown one names is not in the ledger.
const (
	Used    State = "used"
	Unused  State = "unused"
	Expired State = "expired"
	Early   State = "not yet in force"
	Unknown State = "unknown"
)

// File is a file of waivers, in its own order.
type File struct {
	Waivers []Waiver
	// Source is the file as it was read; the bundle carries it, and its digest is shown.
	Source []byte
}

// Parse reads a list of waivers strictly: an unknown member, a repeated id, a missing reason or a day that cannot be
// parsed is an error with its place, because a misread waiver would excuse the wrong failure.
func Parse(data []byte) (*File, error) {
	if len(data) > bounded.Small { // one in a bundle was not read as a file
		return nil, fmt.Errorf("more than %d KiB; this is not a file of waivers", bounded.Small>>10)
	}
	out := &File{Source: data}
	in := yaml.NewDecoder(bytes.NewReader(data))
	in.KnownFields(true)
	if err := in.Decode(&out.Waivers); errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	} else if err != nil {
		return nil, err
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document follows after \"---\"; put all waivers into one")
	}
	ids := map[string]bool{}
	for i, w := range out.Waivers {
		if err := w.wellFormed(); err != nil {
			return nil, fmt.Errorf("waiver %d, %q: %w", i+1, w.ID, err)
		} else if ids[w.ID] {
			return nil, fmt.Errorf("waiver %d: the id %q is already used", i+1, w.ID)
		}
		ids[w.ID] = true
	}
	return out, nil
}

func (w Waiver) wellFormed() error {
	var missing []string
	for _, member := range []struct{ name, value string }{
		{"id", w.ID}, {"requirement", string(w.Requirement)}, {"reason", w.Reason}, {"risk", w.Risk}, {"ticket", w.Ticket}, {"owner", w.Owner}, {"approver", w.Approver},
	} {
		if member.value == "" {
			missing = append(missing, member.name)
		}
	}
	switch {
	case len(missing) > 0: // all at once, for one who fills in a copied entry
		return fmt.Errorf("missing or empty: %s", strings.Join(missing, ", "))
	case !name.MatchString(w.ID):
		return errors.New("the id may have letters, digits, dots, dashes and underscores only, since reports link to it")
	case w.From.IsZero(), w.Ends.IsZero():
		return errors.New("from and ends must be days like 2030-12-05")
	case !w.From.Before(w.Ends.Time), w.Ends.Sub(w.From.Time) > longest:
		return errors.New("ends must be after from, and a waiver lasts at most a year")
	}
	return w.twoPeople()
}

var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

const longest = 366 * 24 * time.Hour

// Use is a waiver with its state in a run.
type Use struct {
	Waiver
	State State
}

// Apply returns res with the requirements that f excuses marked as waived, and the state of each waiver. The verdict of
// the run does not change: waivers excuse a release, not a service. A check is waived if all that it breaks is. A waiver
// also excuses that its requirement is inconclusive, as in a store that is too large to look through. f may be nil.
func Apply(res verdict.Results, f *File) (verdict.Results, []Use) {
	if f == nil {
		return res, nil
	}
	res.Checks, res.Requirements = slices.Clone(res.Checks), slices.Clone(res.Requirements)
	uses, inForce := statesOf(f, cmp.Or(res.Ended, res.Started).UTC()), map[spec.ID]*Use{}
	for i, u := range slices.Backward(uses) { // the first of a requirement excuses it
		if u.State == Unused {
			inForce[u.Requirement] = &uses[i]
		}
	}
	for i := range res.Requirements {
		r := &res.Requirements[i]
		untold := r.Verdict == verdict.Inconclusive && slices.Contains(res.Inconclusive, r.ID)
		if u := inForce[r.ID]; u != nil && (r.Verdict == verdict.Failed || untold) {
			r.Verdict, r.Waiver, u.State = verdict.Waived, u.ID, Used
		}
	}
	for i := range res.Checks {
		c := &res.Checks[i]
		open := func(id spec.ID) bool { return inForce[id] == nil }
		if broken := c.Broken(); c.Verdict == verdict.Failed && len(broken) > 0 && !slices.ContainsFunc(broken, open) {
			c.Verdict = verdict.Waived
		}
	}
	return res, uses
}

// statesOf returns the waivers with their states on the day on which the run ended; Unused stands for "in force". The day
// of --as-of would be the user's choice, and with today's date a report would differ tomorrow.
func statesOf(f *File, day time.Time) (uses []Use) {
	for _, w := range f.Waivers {
		state := Unused
		switch _, known := spec.TheLedger().Find(w.Requirement); {
		case !known:
			state = Unknown
		case !day.Before(w.Ends.Time):
			state = Expired
		case day.Before(w.From.Time):
			state = Early
		}
		uses = append(uses, Use{w, state})
	}
	return uses
}
