package reference

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
)

// members edits the members of a Pet in those operations.
func members(ops []spec.Operation, change edit) func(*behaviour) {
	return writePet(ops, func(_ spec.Pet, fields []field) []field { return change(fields) })
}

// member writes the value of one member of a Pet, if it is there.
func member(ops []spec.Operation, name string, value func(p spec.Pet) string) func(*behaviour) {
	return writePet(ops, func(p spec.Pet, fields []field) []field { return valued(name, value(p))(fields) })
}

func idText(p spec.Pet) string       { return strconv.Quote(whole(p.ID)) }
func categoryText(p spec.Pet) string { return strconv.Quote(whole(p.CategoryID)) }

// whenOmitted writes a status for animals that have none.
func whenOmitted(ops []spec.Operation, value string) func(*behaviour) {
	return writePet(ops, func(p spec.Pet, fields []field) []field {
		if p.Status == "" {
			fields = append(fields, field{"status", value})
		}
		return fields
	})
}

var petDeviations = slices.Concat(
	table(Deviation{Breaks: ids("PET-1")}, []Deviation{
		{Name: "pet-id-text", Suffers: "Ids are strings: typed clients fail, and others compare them unequal to numbers.", apply: member(showing, "id", idText)},
		{Name: "pet-id-text-on-list", Suffers: "The id is a string in listings and a number elsewhere.", apply: member(onList, "id", idText)},
		{Name: "pet-id-text-on-create", Suffers: "The id of a new animal is a string.", apply: member(onCreate, "id", idText)},
		{Name: "pet-id-text-on-get", Suffers: "The id of a fetched animal is a string.", apply: member(onGet, "id", idText)},
		{Name: "pet-id-fraction", Suffers: "Ids are written as 7.0, which int64 decoders refuse.", apply: member(showing, "id", func(p spec.Pet) string { return whole(p.ID) + ".0" })},
		{Name: "pet-id-exponent", Suffers: "Ids are written as 7e0, which int64 decoders refuse.", apply: member(onList, "id", func(p spec.Pet) string { return whole(p.ID) + "e0" })},
		{Name: "pet-id-missing-on-list", Suffers: "A listed animal cannot be fetched.", apply: members(onList, without("id"))},
		{Name: "pet-id-missing-on-create", Suffers: "A new animal cannot be fetched.", apply: members(onCreate, without("id"))},
		{Name: "pet-id-missing-on-get", Suffers: "A client cannot tell which animal it fetched.", apply: members(onGet, without("id"))},
		{Name: "pet-id-null-on-create", Suffers: "The id of a new animal is null.", apply: members(onCreate, valued("id", "null"))},
		{Name: "pet-id-called-petid", Suffers: "The member is named petId.", apply: members(showing, renamed("id", "petId"))},
		{Name: "pet-id-object", Suffers: "The id is an object, as one database exports it.", apply: member(onGet, "id", func(p spec.Pet) string { return fmt.Sprintf(`{"$numberLong":"%d"}`, p.ID) })},
		{Name: "pet-id-unsigned", Suffers: "Ids are beyond int64 and overflow in clients.", apply: member(showing, "id", func(p spec.Pet) string { return strconv.FormatUint(uint64(p.ID)|1<<63, 10) })},
	}),
	table(Deviation{Breaks: ids("PET-2")}, []Deviation{
		{Name: "pet-name-missing-on-list", Suffers: "Listed animals have no names.", apply: members(onList, without("name"))},
		{Name: "pet-name-missing-on-create", Suffers: "The answer to a creation lacks the name.", apply: members(onCreate, without("name"))},
		{Name: "pet-name-null-on-get", Suffers: "A client that expects a string reads null.", apply: members(onGet, valued("name", "null"))},
		{Name: "pet-name-localised", Suffers: "The name is an object with a text for each language.", apply: member(showing, "name", func(p spec.Pet) string { return `{"en":` + quoted(p.Name) + `}` })},
		{Name: "pet-name-in-list", Suffers: "The name is an array of one string.", apply: member(onCreate, "name", func(p spec.Pet) string { return "[" + quoted(p.Name) + "]" })},
		{Name: "pet-name-called-title", Suffers: "The member is named title.", apply: members(onList, renamed("name", "title"))},
	}),
	table(Deviation{Breaks: ids("PET-3")}, []Deviation{
		{Name: "pet-category-text", Suffers: "The category is a string, which typed clients refuse.", apply: member(showing, "categoryId", categoryText)},
		{Name: "pet-category-text-on-list", Suffers: "The category is a string in listings and a number elsewhere.", apply: member(onList, "categoryId", categoryText)},
		{Name: "pet-category-text-when-large", May: ids("CREATE-3", "CREATE-13", "LIST-10"), Suffers: "A category beyond 2^53 is a string.",
			apply: member(showing, "categoryId", func(p spec.Pet) string {
				if p.CategoryID > 1<<53 || p.CategoryID < -1<<53 {
					return categoryText(p)
				}
				return whole(p.CategoryID)
			})},
		{Name: "pet-category-fraction", Suffers: "The category is written as 7.0, which int64 decoders refuse.",
			apply: member(showing, "categoryId", func(p spec.Pet) string { return whole(p.CategoryID) + ".0" })},
		{Name: "pet-category-scientific", May: ids("CREATE-3", "CREATE-13", "LIST-10"), Suffers: "Large categories are written as 9.007199254740992e+15.",
			apply: member(showing, "categoryId", func(p spec.Pet) string { return strconv.FormatFloat(float64(p.CategoryID), 'e', -1, 64) })},
		{Name: "pet-category-missing-on-list", Suffers: "Listed animals lack a required member.", apply: members(onList, without("categoryId"))},
		{Name: "pet-category-missing-on-get", Suffers: "Fetched animals lack a required member.", apply: members(onGet, without("categoryId"))},
		{Name: "pet-category-null-on-create", Suffers: "A client that expects a number reads null.", apply: members(onCreate, valued("categoryId", "null"))},
		{Name: "pet-category-snake-case", Suffers: "The member is named category_id.", apply: members(showing, renamed("categoryId", "category_id"))},
		{Name: "pet-category-nested", Suffers: "The category is an object in place of its id.", apply: writePet(onGet, func(p spec.Pet, fields []field) []field {
			return valued("category", `{"id":`+whole(p.CategoryID)+`}`)(renamed("categoryId", "category")(fields))
		})},
	}),
	[]Deviation{{Name: "pet-only-id-on-201", Breaks: ids("PET-2", "PET-3"), May: ids("CREATE-2", "CREATE-3"), Suffers: "The answer to a creation holds the id and nothing else.",
		apply: writePet(onCreate, func(p spec.Pet, _ []field) []field { return []field{{"id", whole(p.ID)}} })}},
	table(Deviation{Breaks: ids("PET-4")}, []Deviation{
		{Name: "pet-status-null-when-omitted", Suffers: "A client that knows three values reads null.", apply: whenOmitted(showing, "null")},
		{Name: "pet-status-null-on-list", Suffers: "A listed animal without a status has the status null.", apply: whenOmitted(onList, "null")},
		{Name: "pet-status-null-on-get", Suffers: "A fetched animal without a status has the status null.", apply: whenOmitted(onGet, "null")},
		{Name: "pet-status-empty-when-omitted", Suffers: "An animal without a status has the empty status.", apply: whenOmitted(showing, `""`)},
		{Name: "pet-status-unknown-when-omitted", Suffers: "A client that knows three values reads a fourth.", apply: whenOmitted(showing, `"unknown"`)},
		{Name: "pet-status-false-when-omitted", May: ids("CREATE-3"), Suffers: "A new animal without a status has the status false.", apply: whenOmitted(onCreate, "false")},
		{Name: "pet-status-capitals", May: statusWritten, Suffers: "The status is written in capitals.",
			apply: member(showing, "status", func(p spec.Pet) string { return quoted(strings.ToUpper(string(p.Status))) })},
		{Name: "pet-status-number", May: statusWritten, Suffers: "The status is its position in the enumeration.",
			apply: member(showing, "status", func(p spec.Pet) string { return strconv.Itoa(slices.Index(spec.Statuses(), p.Status)) })},
		{Name: "pet-status-adopted", May: statusWritten, Suffers: "The status sold is written as adopted, a value that clients do not know.",
			apply: member(showing, "status", func(p spec.Pet) string { return quoted(string(instead(spec.Sold, "adopted")(p.Status))) })},
		{Name: "pet-status-object-on-get", May: ids("CREATE-13"), Suffers: "The status is an object.",
			apply: member(onGet, "status", func(p spec.Pet) string { return `{"value":` + quoted(string(p.Status)) + `}` })},
	}),
)

// statusWritten are the requirements that a status written otherwise may break too.
var statusWritten = ids("CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10")
