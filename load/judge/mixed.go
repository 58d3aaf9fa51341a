package judge

import (
	"fmt"
	"slices"

	"petconform/load/record"
	"petconform/spec"
)

// mixed judges that all operations and connections share one allowance (RATE-11). It blames their sharing only for what
// the fills, which used one operation and one connection, did not show as well.
func (v *view) mixed() outcome {
	var o outcome
	bursts := v.bursts(record.Mixed)
	if len(bursts) == 0 {
		return o
	}
	v.within(&o, record.Mixed)
	plain := v.bursts(record.Fill)
	over := v.beyond(bursts)
	switch {
	case len(over) == 0 && tooSlow(bursts):
		o.doubt("RATE-11", "the limit was not reached within a window: %s", v.tellAll(bursts))
	case len(over) == 0 || v.shared.bounded():
	case len(plain) == 0:
		o.doubt("RATE-11", "the fill phase did not run, so there is nothing to compare with")
	case !v.plain.bounded() || v.never(plain):
		o.doubt("RATE-11", "the limit is wrong for one operation alone, so whether operations share it can't be told")
	case len(over) < 2:
		o.doubt("RATE-11", "%s, but only once", v.told(over[0]))
	case len(v.beyond(plain)) > 0: // what one operation got was an edge of the clock only as long as it stood alone
		v.tooMany(&o, v.shared, slices.Concat(plain, bursts))
		o.doubt("RATE-11", "the limit is wrong for one operation alone, so whether operations share it can't be told")
	default:
		b := over[0]
		o.fail("RATE-11", b.accepted[v.limit], "one allowance over all operations and connections",
			fmt.Sprintf("%d accepted, as listPets alone got", v.limit), v.tellAll(over)+v.byOperation(b))
	}
	for _, b := range bursts {
		o.exchanges = append(o.exchanges, b.first().N)
		o.show("%s", v.told(b))
	}
	if !slices.ContainsFunc(v.of(record.Mixed, 0), func(r *record.Record) bool { return v.operation(r) == spec.GetPet }) {
		o.show("without getPet: the target has no animal")
	}
	return o.settle("RATE-11", "RATE-7")
}

func (v *view) byOperation(b *burst) string {
	counts := map[string]int{}
	for _, r := range b.accepted {
		counts[string(v.operation(r))]++
	}
	return fmt.Sprintf(" (listPets %d, getPet %d, createPet %d)", counts["listPets"], counts["getPet"], counts["createPet"])
}
