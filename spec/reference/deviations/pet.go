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
		fault("pet-id-text", "Ids are strings: typed clients fail, and others compare them unequal to numbers.",
			Member(Showing, "id", strconv.Quote)),
		fault("pet-id-text-on-list", "The id is a string in listings and a number elsewhere.",
			Member(OnList, "id", strconv.Quote)),
		fault("pet-id-text-on-create", "The id of a new animal is a string.", Member(OnCreate, "id", strconv.Quote)),
		fault("pet-id-text-on-get", "The id of a fetched animal is a string.", Member(OnGet, "id", strconv.Quote)),
		fault("pet-id-fraction", "Ids are written as 7.0, which int64 decoders refuse.",
			Member(Showing, "id", Within("", ".0"))),
		fault("pet-id-exponent", "Ids are written as 7e0, which int64 decoders refuse.",
			Member(OnList, "id", Within("", "e0"))),
		fault("pet-id-missing-on-list", "A listed animal cannot be fetched.", Members(OnList, Without("id"))),
		fault("pet-id-missing-on-create", "A new animal cannot be fetched.", Members(OnCreate, Without("id"))),
		fault("pet-id-missing-on-get", "A client cannot tell which animal it fetched.", Members(OnGet, Without("id"))),
		fault("pet-id-null-on-create", "The id of a new animal is null.", Members(OnCreate, Valued("id", "null"))),
		fault("pet-id-called-petid", "The member is named petId.", Members(Showing, Renamed("id", "petId"))),
		fault("pet-id-object", "The id is an object, as one database exports it.",
			Member(OnGet, "id", Within(`{"$numberLong":"`, `"}`))),
		fault("pet-id-unsigned", "Ids are beyond int64 and overflow in clients.",
			Member(Showing, "id", func(id string) string { return strconv.FormatUint(uint64(WholeOf(id))|1<<63, 10) })),
	),
	faults(breaks("PET-2"))(
		fault("pet-name-missing-on-list", "Listed animals have no names.", Members(OnList, Without("name"))),
		fault("pet-name-missing-on-create", "The answer to a creation lacks the name.",
			Members(OnCreate, Without("name"))),
		fault("pet-name-null-on-get", "A client that expects a string reads null.",
			Members(OnGet, Valued("name", "null"))),
		fault("pet-name-localised", "The name is an object with a text for each language.",
			Member(Showing, "name", Within(`{"en":`, `}`))),
		fault("pet-name-in-list", "The name is an array of one string.", Member(OnCreate, "name", Within("[", "]"))),
		fault("pet-name-called-title", "The member is named title.", Members(OnList, Renamed("name", "title"))),
	),
	faults(breaks("PET-3"))(
		fault("pet-category-text", "The category is a string, which typed clients refuse.",
			Member(Showing, "categoryId", strconv.Quote)),
		fault("pet-category-text-on-list", "The category is a string in listings and a number elsewhere.",
			Member(OnList, "categoryId", strconv.Quote)),
		fault("pet-category-text-when-large", "A category beyond 2^53 is a string.",
			Member(Showing, "categoryId", func(value string) string {
				if n := WholeOf(value); n > 1<<53 || n < -1<<53 {
					return strconv.Quote(value)
				}
				return value
			}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-fraction", "The category is written as 7.0, which int64 decoders refuse.",
			Member(Showing, "categoryId", Within("", ".0"))),
		fault("pet-category-scientific", "Large categories are written as 9.007199254740992e+15.",
			Member(Showing, "categoryId", func(value string) string {
				return strconv.FormatFloat(float64(WholeOf(value)), 'e', -1, 64)
			}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-missing-on-list", "Listed animals lack a required member.",
			Members(OnList, Without("categoryId"))),
		fault("pet-category-missing-on-get", "Fetched animals lack a required member.",
			Members(OnGet, Without("categoryId"))),
		fault("pet-category-null-on-create", "A client that expects a number reads null.",
			Members(OnCreate, Valued("categoryId", "null"))),
		fault("pet-category-snake-case", "The member is named category_id.",
			Members(Showing, Renamed("categoryId", "category_id"))),
		fault("pet-category-nested", "The category is an object in place of its id.",
			Members(OnGet, Both(Renamed("categoryId", "category"), Changed("category", Within(`{"id":`, `}`))))),
	),
	faults()(
		fault("pet-only-id-on-201", "The answer to a creation holds the id and nothing else.",
			Members(OnCreate, func(fields []Field) []Field { return fields[:1] }),
			breaks("PET-2", "PET-3"), may("CREATE-2", "CREATE-3")),
	),
	faults(breaks("PET-4"))(
		fault("pet-status-null-when-omitted", "A client that knows three values reads null.",
			whenOmitted(Showing, "null")),
		fault("pet-status-null-on-list", "A listed animal without a status has the status null.",
			whenOmitted(OnList, "null")),
		fault("pet-status-null-on-get", "A fetched animal without a status has the status null.",
			whenOmitted(OnGet, "null")),
		fault("pet-status-empty-when-omitted", "An animal without a status has the empty status.",
			whenOmitted(Showing, `""`)),
		fault("pet-status-unknown-when-omitted", "A client that knows three values reads a fourth.",
			whenOmitted(Showing, `"unknown"`)),
		fault("pet-status-false-when-omitted", "A new animal without a status has the status false.",
			whenOmitted(OnCreate, "false"), may("CREATE-3")),
		fault("pet-status-capitals", "The status is written in capitals.",
			Member(Showing, "status", strings.ToUpper), may(statusWritten...)),
		fault("pet-status-number", "The status is its position in the enumeration.",
			Member(Showing, "status", func(value string) string {
				return strconv.Itoa(slices.Index(spec.Statuses(), spec.PetStatus(strings.Trim(value, `"`))))
			}), may(statusWritten...)),
		fault("pet-status-adopted", "The status sold is written as adopted, a value that clients do not know.",
			Member(Showing, "status", Instead(`"sold"`, `"adopted"`)), may(statusWritten...)),
		fault("pet-status-object-on-get", "The status is an object.",
			Member(OnGet, "status", Within(`{"value":`, `}`)), may("CREATE-13")),
	),
)

// statusWritten are the requirements that a status written otherwise may break too.
var statusWritten = []spec.ID{"CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"}
