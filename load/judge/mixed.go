package judge

import (
	"fmt"
	"slices"

	"petconform/load/record"
	"petconform/spec"
)

// mixed judges that all operations and connections share one allowance (RATE-11). RATE-11 does not fail for what the
// fills show too, since they use one operation and usually one connection.
func (v *view) mixed() outcome {
	var o outcome
	bursts := v.bursts(record.Mixed)
	if len(bursts) == 0 {
		return o
	}
	v.withinPlan(&o, record.Mixed)
	plain := v.bursts(record.Fill)
	over := v.beyond(bursts)
	switch {
	case len(over) == 0 && !refusedIn(bursts):
		o.doubt("RATE-11", "the limit was not reached within a window: %s", v.describeAll(bursts))
	case len(over) == 0 || v.account(record.Mixed).bounded():
	case len(plain) == 0:
		o.doubt("RATE-11", "the fill phase did not run, so there is nothing to compare with")
	case !v.account(record.Fill).bounded():
		o.doubt("RATE-11", aloneWrong)
	case v.neverLimited(plain): // the fills were so slow that a bucket explains them
		v.unlimited(&o, plain)
		o.doubt("RATE-11", aloneWrong)
	case len(over) < 2:
		o.doubt("RATE-11", "%s, but only once", v.describe(over[0]))
	case len(v.beyond(plain)) > 0: // the edge of a clock's window may explain the fills alone, but not together with this phase
		v.tooMany(&o, v.account(record.Mixed), slices.Concat(plain, bursts))
		o.doubt("RATE-11", aloneWrong)
	default:
		b := over[0]
		o.fail("RATE-11", b.accepted[v.limit], "one allowance over all operations and connections",
			fmt.Sprintf("%d accepted, as listPets alone got", v.limit), v.describeAll(over)+v.byOperation(b))
	}
	for _, b := range bursts {
		o.exchanges = append(o.exchanges, b.first().N)
		o.show("%s", v.describe(b))
	}
	if !slices.ContainsFunc(v.of(record.Mixed, 0), func(r *record.Record) bool { return v.operation(r) == spec.GetPet }) {
		o.show("without getPet: the target has no animal")
	}
	return o.settle("RATE-11", "RATE-7")
}

const aloneWrong = "the limit is wrong for listPets alone, so this run can't show whether operations share it"

// byOperation counts the accepted requests of each operation.
func (v *view) byOperation(b *burst) string {
	counts := map[string]int{}
	for _, r := range b.accepted {
		counts[string(v.operation(r))]++
	}
	return fmt.Sprintf(" (listPets %d, getPet %d, createPet %d)", counts["listPets"], counts["getPet"], counts["createPet"])
}
