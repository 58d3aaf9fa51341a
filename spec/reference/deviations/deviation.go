// Package deviations is the table of what can be wrong with the reference service: a name, the requirements that it
// breaks, and the change of its behaviour. The ledger says what clients suffer.
package deviations

import (
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// Deviation is a fault that can be switched on.
type Deviation struct {
	Name string // in kebab case and never changes
	// Breaks are the requirements that the suite must report as broken. It may report no others, except those in May.
	Breaks []spec.ID
	// May are requirements that the suite may report too, depending on what a run sends.
	May   []spec.ID
	Needs Need // what a run must do to meet the fault

	apply Change
}

// Need is what a run must do to meet a deviation.
type Need string

const (
	Standard Need = "" // a standard run meets the deviation
	// Animals means that the deviation shows only among many animals. It seeds an empty store with them.
	Animals Need = "animals"
	Full    Need = "full"    // the deviation shows for a value that only a full run sends
	Explore Need = "explore" // the deviation shows only for sequences that no check sends
	Load    Need = "load"    // the deviation shows only when the requests of a minute are spent
	Day     Need = "day"     // the deviation shows only when the requests of a day are spent
	Ban     Need = "ban"     // the deviation shows only after repeated requests against a 429
)

// table collects deviations.
type table []Deviation

// fault adds a row. Of "CREATE-3 LIST-10? full", it breaks CREATE-3, may break LIST-10, and needs a full run.
func (t *table) fault(name, requirements string, changes ...Change) {
	d := Deviation{Name: name, apply: Together(changes...)}
	for _, word := range strings.Fields(requirements) {
		switch id, may := strings.CutSuffix(word, "?"); {
		case may:
			d.May = append(d.May, spec.ID(id))
		case strings.Contains(word, "-"):
			d.Breaks = append(d.Breaks, spec.ID(word))
		default:
			d.Needs = Need(word)
		}
	}
	*t = append(*t, d)
}

// All lists every deviation, in a fixed order.
func All() []Deviation {
	var t table
	for _, add := range []func(*table){
		keyRows, authRows, errorRows, rateRows, mediaRows, connectionRows, petRows,
		listRows, limitRows, filterRows, listedRows,
		createRows, valueRows, idRows, bodyRows, memberRows, effectRows,
		getRows, severalRows, planRows, toldRows, refusalRows, deepRows,
	} {
		add(&t)
	}
	return t
}

// Effect is what clients suffer: that of the first requirement that it breaks.
func (d Deviation) Effect() string { return spec.TheLedger().Effect(d.Breaks[0]) }

// Apply switches deviations on by their names.
func Apply(b *Behaviour, names []string) error {
	for _, name := range names {
		d, err := ByName("deviation", name, All(), func(d Deviation) string { return d.Name })
		if err != nil {
			return err
		}
		d.apply(b)
	}
	return nil
}
