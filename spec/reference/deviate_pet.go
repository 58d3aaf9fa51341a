package reference

import (
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
)

// whenOmitted writes a status for animals that have none.
func whenOmitted(ops []spec.Operation, value string) func(*behaviour) {
	return members(ops, func(fields []field) []field {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == "status" }) {
			fields = append(fields, field{"status", value})
		}
		return fields
	})
}

var petDeviations = slices.Concat(
	faults(breaks("PET-1"))(
		fault("pet-id-text", "Ids are strings: typed clients fail, and others compare them unequal to numbers.",
			member(showing, "id", strconv.Quote)),
		fault("pet-id-text-on-list", "The id is a string in listings and a number elsewhere.",
			member(onList, "id", strconv.Quote)),
		fault("pet-id-text-on-create", "The id of a new animal is a string.", member(onCreate, "id", strconv.Quote)),
		fault("pet-id-text-on-get", "The id of a fetched animal is a string.", member(onGet, "id", strconv.Quote)),
		fault("pet-id-fraction", "Ids are written as 7.0, which int64 decoders refuse.",
			member(showing, "id", within("", ".0"))),
		fault("pet-id-exponent", "Ids are written as 7e0, which int64 decoders refuse.",
			member(onList, "id", within("", "e0"))),
		fault("pet-id-missing-on-list", "A listed animal cannot be fetched.", members(onList, without("id"))),
		fault("pet-id-missing-on-create", "A new animal cannot be fetched.", members(onCreate, without("id"))),
		fault("pet-id-missing-on-get", "A client cannot tell which animal it fetched.", members(onGet, without("id"))),
		fault("pet-id-null-on-create", "The id of a new animal is null.", members(onCreate, valued("id", "null"))),
		fault("pet-id-called-petid", "The member is named petId.", members(showing, renamed("id", "petId"))),
		fault("pet-id-object", "The id is an object, as one database exports it.",
			member(onGet, "id", within(`{"$numberLong":"`, `"}`))),
		fault("pet-id-unsigned", "Ids are beyond int64 and overflow in clients.",
			member(showing, "id", func(id string) string { return strconv.FormatUint(uint64(wholeOf(id))|1<<63, 10) })),
	),
	faults(breaks("PET-2"))(
		fault("pet-name-missing-on-list", "Listed animals have no names.", members(onList, without("name"))),
		fault("pet-name-missing-on-create", "The answer to a creation lacks the name.",
			members(onCreate, without("name"))),
		fault("pet-name-null-on-get", "A client that expects a string reads null.",
			members(onGet, valued("name", "null"))),
		fault("pet-name-localised", "The name is an object with a text for each language.",
			member(showing, "name", within(`{"en":`, `}`))),
		fault("pet-name-in-list", "The name is an array of one string.", member(onCreate, "name", within("[", "]"))),
		fault("pet-name-called-title", "The member is named title.", members(onList, renamed("name", "title"))),
	),
	faults(breaks("PET-3"))(
		fault("pet-category-text", "The category is a string, which typed clients refuse.",
			member(showing, "categoryId", strconv.Quote)),
		fault("pet-category-text-on-list", "The category is a string in listings and a number elsewhere.",
			member(onList, "categoryId", strconv.Quote)),
		fault("pet-category-text-when-large", "A category beyond 2^53 is a string.",
			member(showing, "categoryId", func(value string) string {
				if n := wholeOf(value); n > 1<<53 || n < -1<<53 {
					return strconv.Quote(value)
				}
				return value
			}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-fraction", "The category is written as 7.0, which int64 decoders refuse.",
			member(showing, "categoryId", within("", ".0"))),
		fault("pet-category-scientific", "Large categories are written as 9.007199254740992e+15.",
			member(showing, "categoryId", func(value string) string {
				return strconv.FormatFloat(float64(wholeOf(value)), 'e', -1, 64)
			}), may("CREATE-3", "CREATE-13", "LIST-10")),
		fault("pet-category-missing-on-list", "Listed animals lack a required member.",
			members(onList, without("categoryId"))),
		fault("pet-category-missing-on-get", "Fetched animals lack a required member.",
			members(onGet, without("categoryId"))),
		fault("pet-category-null-on-create", "A client that expects a number reads null.",
			members(onCreate, valued("categoryId", "null"))),
		fault("pet-category-snake-case", "The member is named category_id.",
			members(showing, renamed("categoryId", "category_id"))),
		fault("pet-category-nested", "The category is an object in place of its id.",
			members(onGet, both(renamed("categoryId", "category"), changed("category", within(`{"id":`, `}`))))),
	),
	faults()(
		fault("pet-only-id-on-201", "The answer to a creation holds the id and nothing else.",
			members(onCreate, func(fields []field) []field { return fields[:1] }),
			breaks("PET-2", "PET-3"), may("CREATE-2", "CREATE-3")),
	),
	faults(breaks("PET-4"))(
		fault("pet-status-null-when-omitted", "A client that knows three values reads null.",
			whenOmitted(showing, "null")),
		fault("pet-status-null-on-list", "A listed animal without a status has the status null.",
			whenOmitted(onList, "null")),
		fault("pet-status-null-on-get", "A fetched animal without a status has the status null.",
			whenOmitted(onGet, "null")),
		fault("pet-status-empty-when-omitted", "An animal without a status has the empty status.",
			whenOmitted(showing, `""`)),
		fault("pet-status-unknown-when-omitted", "A client that knows three values reads a fourth.",
			whenOmitted(showing, `"unknown"`)),
		fault("pet-status-false-when-omitted", "A new animal without a status has the status false.",
			whenOmitted(onCreate, "false"), may("CREATE-3")),
		fault("pet-status-capitals", "The status is written in capitals.",
			member(showing, "status", strings.ToUpper), may(statusWritten...)),
		fault("pet-status-number", "The status is its position in the enumeration.",
			member(showing, "status", func(value string) string {
				return strconv.Itoa(slices.Index(spec.Statuses(), spec.PetStatus(strings.Trim(value, `"`))))
			}), may(statusWritten...)),
		fault("pet-status-adopted", "The status sold is written as adopted, a value that clients do not know.",
			member(showing, "status", instead(`"sold"`, `"adopted"`)), may(statusWritten...)),
		fault("pet-status-object-on-get", "The status is an object.",
			member(onGet, "status", within(`{"value":`, `}`)), may("CREATE-13")),
	),
)

// statusWritten are the requirements that a status written otherwise may break too.
var statusWritten = []spec.ID{"CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"}
