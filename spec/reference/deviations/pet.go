package deviations

import (
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

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
	faults(breaks("PET-1"))(
		fault("pet-id-text", Member(Showing, "id", strconv.Quote)),
		fault("pet-id-text-on-list", Member(OnList, "id", strconv.Quote)),
		fault("pet-id-text-on-create", Member(OnCreate, "id", strconv.Quote)),
		fault("pet-id-text-on-get", Member(OnGet, "id", strconv.Quote)),
		fault("pet-id-fraction", Member(Showing, "id", Within("", ".0"))),
		fault("pet-id-exponent", Member(OnList, "id", Within("", "e0"))),
		fault("pet-id-missing-on-list", Members(OnList, Without("id"))),
		fault("pet-id-missing-on-create", Members(OnCreate, Without("id"))),
		fault("pet-id-missing-on-get", Members(OnGet, Without("id"))),
		fault("pet-id-null-on-create", Members(OnCreate, Valued("id", "null"))),
		fault("pet-id-called-petid", Members(Showing, Renamed("id", "petId"))),
		fault("pet-id-object", Member(OnGet, "id", Within(`{"$numberLong":"`, `"}`))),
		fault("pet-id-unsigned", Member(Showing, "id", func(id string) string { return strconv.FormatUint(uint64(WholeOf(id))|1<<63, 10) })),
	),
	faults(breaks("PET-2"))(
		fault("pet-name-missing-on-list", Members(OnList, Without("name"))),
		fault("pet-name-missing-on-create", Members(OnCreate, Without("name"))),
		fault("pet-name-null-on-get", Members(OnGet, Valued("name", "null"))),
		fault("pet-name-localised", Member(Showing, "name", Within(`{"en":`, `}`))),
		fault("pet-name-in-list", Member(OnCreate, "name", Within("[", "]"))),
		fault("pet-name-called-title", Members(OnList, Renamed("name", "title"))),
	),
	faults(breaks("PET-3"))(
		fault("pet-category-text", Member(Showing, "categoryId", strconv.Quote)),
		fault("pet-category-text-on-list", Member(OnList, "categoryId", strconv.Quote)),
		fault("pet-category-text-when-large", Member(Showing, "categoryId", func(value string) string {
			if n := WholeOf(value); n > 1<<53 || n < -1<<53 {
				return strconv.Quote(value)
			}
			return value
		}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-fraction", Member(Showing, "categoryId", Within("", ".0"))),
		fault("pet-category-scientific", Member(Showing, "categoryId", func(value string) string {
			return strconv.FormatFloat(float64(WholeOf(value)), 'e', -1, 64)
		}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-missing-on-list", Members(OnList, Without("categoryId"))),
		fault("pet-category-missing-on-get", Members(OnGet, Without("categoryId"))),
		fault("pet-category-null-on-create", Members(OnCreate, Valued("categoryId", "null"))),
		fault("pet-category-snake-case", Members(Showing, Renamed("categoryId", "category_id"))),
		fault("pet-category-nested", Members(OnGet, Both(Renamed("categoryId", "category"), Changed("category", Within(`{"id":`, `}`))))),
	),
	faults()(
		fault("pet-only-id-on-201", Members(OnCreate, func(fields []Field) []Field { return fields[:1] }),
			breaks("PET-2", "PET-3"), may("CREATE-2", "CREATE-3")),
	),
	faults(breaks("PET-4"))(
		fault("pet-status-null-when-omitted", whenOmitted(Showing, "null")),
		fault("pet-status-null-on-list", whenOmitted(OnList, "null")),
		fault("pet-status-null-on-get", whenOmitted(OnGet, "null")),
		fault("pet-status-empty-when-omitted", whenOmitted(Showing, `""`)),
		fault("pet-status-unknown-when-omitted", whenOmitted(Showing, `"unknown"`)),
		fault("pet-status-false-when-omitted", whenOmitted(OnCreate, "false"), may("CREATE-3")),
		fault("pet-status-capitals", Member(Showing, "status", strings.ToUpper), may(statusWritten...)),
		fault("pet-status-number", Member(Showing, "status", func(value string) string {
			return strconv.Itoa(slices.Index(spec.Statuses(), spec.PetStatus(strings.Trim(value, `"`))))
		}), may(statusWritten...)),
		fault("pet-status-adopted", Member(Showing, "status", Instead(`"sold"`, `"adopted"`)), may(statusWritten...)),
		fault("pet-status-object-on-get", Member(OnGet, "status", Within(`{"value":`, `}`)), may("CREATE-13")),
	),
)

// statusWritten are the requirements that a status written otherwise may break too.
var statusWritten = []spec.ID{"CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"}
