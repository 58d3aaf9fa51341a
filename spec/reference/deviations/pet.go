package deviations

import (
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// memberFault is a way to write a required member wrongly.
type memberFault struct {
	how  string
	edit func(member string) Edit
}

// changed makes a memberFault of a change of the value.
func changed(how string, change func(value string) string) memberFault {
	return memberFault{how, func(member string) Edit { return Changed(member, change) }}
}

var (
	// ofAny are faults of any member, and ofNumber those of a number besides.
	ofAny = []memberFault{
		{"missing", Without},
		changed("null", Constant("null")),
		{"renamed", func(member string) Edit { return Renamed(member, "pet_"+member) }},
		changed("object", Within(`{"value":`, `}`)),
		changed("array", Within("[", "]")),
	}
	ofNumber = []memberFault{
		changed("text", strconv.Quote),
		changed("fraction", Within("", ".0")),
		changed("exponent", Within("", "e0")),
	}
	// petMembers are the required members of a Pet.
	petMembers = []struct {
		name   string
		broken spec.ID
		faults []memberFault
	}{
		{"id", "PET-1", slices.Concat(ofAny, ofNumber)},
		{"name", "PET-2", ofAny},
		{"categoryId", "PET-3", slices.Concat(ofAny, ofNumber)},
	}
)

// memberRows are faults of a required member: in every answer, and of those that differ most in that of one operation.
func memberRows() (all []Deviation) {
	for _, m := range petMembers {
		var rows []Row[Deviation]
		for _, f := range m.faults {
			name := "pet-" + strings.ToLower(m.name) + "-" + f.how
			rows = append(rows, fault(name, Members(Showing, f.edit(m.name))))
			for _, op := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet} {
				if f.how == "missing" || f.how == "text" {
					rows = append(rows, fault(name+"-on-"+shortName(op), Members([]spec.Operation{op}, f.edit(m.name))))
				}
			}
		}
		all = append(all, faults(breaks(m.broken))(rows...)...)
	}
	return all
}

// whenOmitted writes a status for animals that have none.
func whenOmitted(ops []spec.Operation, value string) Change {
	return Members(ops, func(fields []Field) []Field {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == "status" }) {
			fields = append(fields, Pair("status", value))
		}
		return fields
	})
}

var petRows = slices.Concat(
	memberRows(),
	faults()(
		fault("pet-id-unsigned",
			Member(Showing, "id", func(id string) string { return strconv.FormatUint(uint64(WholeOf(id))|1<<63, 10) }),
			breaks("PET-1")),
		fault("pet-category-text-when-large", Member(Showing, "categoryId", func(value string) string {
			if n := WholeOf(value); n > 1<<53 || n < -1<<53 {
				return strconv.Quote(value)
			}
			return value
		}), breaks("PET-3"), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-only-id-on-201", Members(OnCreate, func(fields []Field) []Field { return fields[:1] }),
			breaks("PET-2", "PET-3"), may("CREATE-2", "CREATE-3")),
	),
	faults(breaks("PET-4"))(
		fault("pet-status-null-on-list", whenOmitted(OnList, "null")),
		fault("pet-status-null-on-get", whenOmitted(OnGet, "null")),
		fault("pet-status-empty-when-omitted", whenOmitted(Showing, `""`)),
		fault("pet-status-false-when-omitted", whenOmitted(OnCreate, "false"), may("CREATE-3")),
		fault("pet-status-capitals", Member(Showing, "status", strings.ToUpper), may(statusWritten...)),
		fault("pet-status-adopted", Member(Showing, "status", Instead(`"sold"`, `"adopted"`)), may(statusWritten...)),
		fault("pet-status-object-on-get", Member(OnGet, "status", Within(`{"value":`, `}`)), may("CREATE-13")),
	),
)

// statusWritten are the requirements that a status written otherwise may break too.
var statusWritten = []spec.ID{"CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"}
