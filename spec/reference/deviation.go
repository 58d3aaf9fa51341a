package reference

import (
	"slices"

	"petconform/spec"
)

// Deviation is a fault that can be switched on.
type Deviation struct {
	// Name is kebab-case and never changes.
	Name string
	// Breaks are the requirements that a correct suite names, and no more than those.
	Breaks []spec.ID
	// May are requirements that the same fault breaks too, when a run happens to look at it from that side.
	May []spec.ID
	// Suffers says what happens to a client.
	Suffers string
	// Needs says what a run has to do beyond the standard one to meet the fault.
	Needs Need

	apply func(*behaviour)
}

// Need is what it takes to meet a deviation.
type Need string

// What a run may have to do or find.
const (
	// Standard needs nothing beyond a standard run.
	Standard Need = ""
	// Animals shows only among many animals. The deviation brings them itself when the store is empty.
	Animals Need = "animals"
	// Explore shows only on sequences or values that a standard run need not send.
	Explore Need = "explore"
	// Load shows only when the requests of a minute are spent.
	Load Need = "load"
	// Day shows only when the requests of a day are spent.
	Day Need = "day"
	// Ban shows only after repeated requests against a 429.
	Ban Need = "ban"
)

// Deviations lists every deviation, in an order that stays.
func Deviations() []Deviation {
	return slices.Concat(
		keyDeviations, authAnswerDeviations, authOrderDeviations,
		errorBodyDeviations, errorMediaDeviations,
		rateHeaderDeviations, rateValueDeviations,
		mediaDeviations, jsonDeviations, transportDeviations,
		petDeviations, listShapeDeviations, listLimitDeviations, listFilterDeviations, listContentDeviations,
		createAnswerDeviations, createValueDeviations, createIDDeviations, createMissingDeviations,
		createTypeDeviations, createBodyDeviations, createEffectDeviations, getDeviations, deprecationDeviations,
		limitCountDeviations, limitToldDeviations, limitRefusalDeviations, exploreDeviations,
	)
}

// ids lists requirements.
func ids(all ...spec.ID) []spec.ID { return all }

// short is an operation's word in the names of deviations and freedoms.
func short(op spec.Operation) string {
	return map[spec.Operation]string{
		spec.ListPets: "list", spec.CreatePet: "create", spec.GetPet: "get", spec.StoreOrders: "orders",
	}[op]
}

func applyDeviations(b *behaviour, names []string) error {
	all := Deviations()
	for _, name := range names {
		i := slices.IndexFunc(all, func(d Deviation) bool { return d.Name == name })
		if i < 0 {
			return unknownName("deviation", name, deviationNames())
		}
		all[i].apply(b)
	}
	return nil
}

func deviationNames() []string {
	var names []string
	for _, d := range Deviations() {
		names = append(names, d.Name)
	}
	return names
}
