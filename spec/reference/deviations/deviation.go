// Package deviations is the table of what can be wrong with the reference service: a name, the requirements that it
// breaks, and the change of its behaviour. The ledger says what clients suffer.
package deviations

import (
	"slices"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// Deviation is a fault that can be switched on.
type Deviation struct {
	// Name is in kebab case and never changes.
	Name string
	// Breaks are the requirements that the suite must report as broken. It may report no others, except those in May.
	Breaks []spec.ID
	// May are requirements that the suite may report too, depending on what a run sends.
	May []spec.ID
	// Needs is what a run must do to meet the fault.
	Needs Need

	apply Change
}

// Need is what a run must do to meet a deviation.
type Need string

const (
	// Standard means that a standard run meets the deviation.
	Standard Need = ""
	// Animals means that the deviation shows only among many animals. It seeds an empty store with them.
	Animals Need = "animals"
	// Full means that the deviation shows for a value that only a full run sends.
	Full Need = "full"
	// Explore means that the deviation shows only for sequences that no check sends.
	Explore Need = "explore"
	// Load means that the deviation shows only when the requests of a minute are spent.
	Load Need = "load"
	// Day means that the deviation shows only when the requests of a day are spent.
	Day Need = "day"
	// Ban means that the deviation shows only after repeated requests against a 429.
	Ban Need = "ban"
)

// Deviations lists every deviation, in a fixed order.
func All() []Deviation {
	return slices.Concat(
		keyRows, authAnswerRows, authOrderRows,
		errorBodyRows, errorMediaRows,
		rateHeaderRows, rateValueRows,
		mediaRows, jsonRows, transportRows,
		petRows, listShapeRows, listStatusRows, listLimitRows, listFilterRows, listContentRows,
		createAnswerRows, createValueRows, createIDRows, createMissingRows,
		createTypeRows, createBodyRows, createEffectRows, getRows, deprecationRows,
		limitCountRows, limitToldRows, limitRefusalRows, exploreRows,
		vantageRows, neighbourRows, turnRows, severalRows, gatewayRows, clientRows, rareRows,
	)
}

// faults makes the rows of a group.
var faults = Table[Deviation]

func fault(name string, apply Change, notes ...Note[Deviation]) Row[Deviation] {
	return Row[Deviation]{Of: Deviation{Name: name, apply: apply}, Notes: notes}
}

// Effect is what clients suffer: that of the first requirement that it breaks.
func (d Deviation) Effect() string { return spec.TheLedger().Effect(d.Breaks[0]) }

func breaks(all ...spec.ID) Note[Deviation] { return func(d *Deviation) { d.Breaks = all } }
func may(all ...spec.ID) Note[Deviation]    { return func(d *Deviation) { d.May = all } }
func needs(n Need) Note[Deviation]          { return func(d *Deviation) { d.Needs = n } }

// shortName is an operation's part of the names of deviations.
func shortName(op spec.Operation) string {
	return map[spec.Operation]string{
		spec.ListPets: "list", spec.CreatePet: "create", spec.GetPet: "get", spec.StoreOrders: "orders",
	}[op]
}

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
