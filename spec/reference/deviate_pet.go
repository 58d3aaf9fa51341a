package reference

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
)

// petShape makes a deviation that writes the members of a Pet otherwise in those operations. A value that is written
// otherwise may also be named as changed.
func petShape(name string, breaks spec.ID, suffers string, ops []spec.Operation, change func(p spec.Pet, f []field) []field, may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) { b.writePet(ops, change) },
	}
}

// leaving, as and setting are the changes that most of these deviations make.
func leaving(member string) func(spec.Pet, []field) []field {
	return func(_ spec.Pet, f []field) []field { return without(f, member) }
}

func as(from, to string) func(spec.Pet, []field) []field {
	return func(_ spec.Pet, f []field) []field { return renamed(f, from, to) }
}

func setting(member string, value func(p spec.Pet) string) func(spec.Pet, []field) []field {
	return func(p spec.Pet, f []field) []field { return valued(f, member, value(p)) }
}

func idText(p spec.Pet) string       { return strconv.Quote(whole(p.ID)) }
func categoryText(p spec.Pet) string { return strconv.Quote(whole(p.CategoryID)) }

// whenOmitted gives a status to animals that have none.
func whenOmitted(value string) func(spec.Pet, []field) []field {
	return func(p spec.Pet, f []field) []field {
		if p.Status == "" {
			f = append(f, field{"status", value})
		}
		return f
	}
}

var (
	onList   = []spec.Operation{spec.ListPets}
	onCreate = []spec.Operation{spec.CreatePet}
	onGet    = []spec.Operation{spec.GetPet}
)

var petDeviations = slices.Concat(petIDDeviations, petMemberDeviations, petStatusDeviations)

var petIDDeviations = []Deviation{
	petShape("pet-id-text", "PET-1", "Ids are strings; typed clients fail, others compare them unequal to numbers.", showing, setting("id", idText)),
	petShape("pet-id-text-on-list", "PET-1", "The id is a number in one operation and a string in another.", onList, setting("id", idText)),
	petShape("pet-id-text-on-create", "PET-1", "The id of a new animal is a string.", onCreate, setting("id", idText)),
	petShape("pet-id-text-on-get", "PET-1", "The id of a fetched animal is a string.", onGet, setting("id", idText)),
	petShape("pet-id-fraction", "PET-1", "Ids are written like 7.0, which int64 decoders refuse.", showing, setting("id", func(p spec.Pet) string { return whole(p.ID) + ".0" })),
	petShape("pet-id-exponent", "PET-1", "Ids are written like 7e0, as some encoders write floats.", onList, setting("id", func(p spec.Pet) string { return whole(p.ID) + "e0" })),
	petShape("pet-id-missing-on-list", "PET-1", "Listed animals cannot be fetched.", onList, leaving("id")),
	petShape("pet-id-missing-on-create", "PET-1", "A new animal cannot be found again.", onCreate, leaving("id")),
	petShape("pet-id-missing-on-get", "PET-1", "A client cannot tell what it was given.", onGet, leaving("id")),
	petShape("pet-id-null-on-create", "PET-1", "The answer was written before the database gave an id.", onCreate, setting("id", func(spec.Pet) string { return "null" })),
	petShape("pet-id-called-petid", "PET-1", "The member has another name than promised.", showing, as("id", "petId")),
	petShape("pet-id-called-underscore-id", "PET-1", "The database's own member name shines through.", showing, as("id", "_id")),
	petShape("pet-id-object", "PET-1", "The id is an object, as one database exports it.", onGet, setting("id", func(p spec.Pet) string { return fmt.Sprintf(`{"$numberLong":"%d"}`, p.ID) })),
	petShape("pet-id-unsigned", "PET-1", "Ids go beyond int64 and overflow in clients.", showing, setting("id", func(p spec.Pet) string { return strconv.FormatUint(uint64(p.ID)|1<<63, 10) })),
}

var petMemberDeviations = []Deviation{
	petShape("pet-name-missing-on-list", "PET-2", "A listing without names is of no use to anyone.", onList, leaving("name")),
	petShape("pet-name-missing-on-create", "PET-2", "The answer to a creation lacks what was created.", onCreate, leaving("name")),
	petShape("pet-name-null-on-get", "PET-2", "Where a string was promised there is null.", onGet, setting("name", func(spec.Pet) string { return "null" })),
	petShape("pet-name-localised", "PET-2", "The name is an object of languages.", showing, setting("name", func(p spec.Pet) string { return `{"en":` + quoted(p.Name) + `}` })),
	petShape("pet-name-in-list", "PET-2", "The name is a list of one, as query parameters are parsed.", onCreate, setting("name", func(p spec.Pet) string { return "[" + quoted(p.Name) + "]" })),
	petShape("pet-name-called-title", "PET-2", "The member has another name than promised.", onList, as("name", "title")),
	petShape("pet-category-text", "PET-3", "The category is a string, so that scripts can read it; typed clients cannot.", showing, setting("categoryId", categoryText)),
	petShape("pet-category-text-on-list", "PET-3", "The category is a number in one operation and a string in another.", onList, setting("categoryId", categoryText)),
	petShape("pet-category-text-when-large", "PET-3", "Beyond 2^53 the number turns into a string.", showing, setting("categoryId", func(p spec.Pet) string {
		if p.CategoryID > 1<<53 || p.CategoryID < -1<<53 {
			return categoryText(p)
		}
		return whole(p.CategoryID)
	}), "CREATE-3", "CREATE-13", "LIST-10"),
	petShape("pet-category-fraction", "PET-3", "The category is written like 7.0, which int64 decoders refuse.", showing, setting("categoryId", func(p spec.Pet) string { return whole(p.CategoryID) + ".0" })),
	petShape("pet-category-scientific", "PET-3", "Large categories are written like 9.007199254740992e+15.", showing, setting("categoryId", func(p spec.Pet) string {
		return strconv.FormatFloat(float64(p.CategoryID), 'e', -1, 64)
	}), "CREATE-3", "CREATE-13", "LIST-10"),
	petShape("pet-category-missing-on-list", "PET-3", "A summary leaves out a required member.", onList, leaving("categoryId")),
	petShape("pet-category-missing-on-get", "PET-3", "One operation lacks a required member.", onGet, leaving("categoryId")),
	petShape("pet-category-null-on-create", "PET-3", "Where a number was promised there is null.", onCreate, setting("categoryId", func(spec.Pet) string { return "null" })),
	petShape("pet-category-snake-case", "PET-3", "The member is named as in another language.", showing, as("categoryId", "category_id")),
	petShape("pet-category-nested", "PET-3", "The category is an object where its id was promised.", onGet, func(p spec.Pet, f []field) []field {
		return valued(renamed(f, "categoryId", "category"), "category", `{"id":`+whole(p.CategoryID)+`}`)
	}),
	{
		Name: "pet-only-id-on-201", Breaks: ids("PET-2", "PET-3"), May: ids("CREATE-2", "CREATE-3"),
		Suffers: "A new animal's answer holds its id and nothing else.",
		apply: func(b *behaviour) {
			b.writePet(onCreate, func(p spec.Pet, _ []field) []field { return []field{{"id", whole(p.ID)}} })
		},
	},
}

var petStatusDeviations = []Deviation{
	petShape("pet-status-null-when-omitted", "PET-4", "A client that knows three values meets null.", showing, whenOmitted("null")),
	petShape("pet-status-null-on-list", "PET-4", "A listing fills in null where nothing is stored.", onList, whenOmitted("null")),
	petShape("pet-status-null-on-get", "PET-4", "Fetched animals without a status carry null.", onGet, whenOmitted("null")),
	petShape("pet-status-empty-when-omitted", "PET-4", "The zero value of a language is none of the three values.", showing, whenOmitted(`""`)),
	petShape("pet-status-unknown-when-omitted", "PET-4", "A fourth value appears that no client was built for.", showing, whenOmitted(`"unknown"`)),
	petShape("pet-status-capitals", "PET-4", "The constants' names are shown instead of their values.", showing,
		setting("status", func(p spec.Pet) string { return quoted(strings.ToUpper(string(p.Status))) }), "CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"),
	petShape("pet-status-number", "PET-4", "An enumeration's position is shown instead of its value.", showing,
		setting("status", func(p spec.Pet) string { return strconv.Itoa(slices.Index(spec.Statuses(), p.Status)) }), "CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"),
	petShape("pet-status-adopted", "PET-4", "A value of the next version is sent for sold.", showing, setting("status", func(p spec.Pet) string {
		if p.Status == spec.Sold {
			return `"adopted"`
		}
		return quoted(string(p.Status))
	}), "CREATE-3", "CREATE-13", "LIST-7", "LIST-8", "LIST-10"),
	petShape("pet-status-object-on-get", "PET-4", "The status is an object with a label.", onGet, setting("status", func(p spec.Pet) string {
		return `{"value":` + quoted(string(p.Status)) + `}`
	}), "CREATE-13"),
	petShape("pet-status-false-when-omitted", "PET-4", "A missing status is false.", onCreate, whenOmitted("false"), "CREATE-3"),
}
