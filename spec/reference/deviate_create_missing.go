package reference

import (
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

const unprocessable = http.StatusUnprocessableEntity

// refuseCodeAs refuses bodies that are wrong for one of those reasons with another status than 400.
func refuseCodeAs(status int, codes ...string) func(*behaviour) {
	return func(b *behaviour) {
		b.understand[spec.CreatePet] = after(b.understand[spec.CreatePet], func(_ *call, refused *refusal) *refusal {
			if refused == nil || !slices.Contains(codes, refused.code) {
				return refused
			}
			return &refusal{status: status, code: refused.code, message: refused.message}
		})
	}
}

// optional accepts bodies without a required member.
func optional(name string) func(*behaviour) {
	return func(b *behaviour) {
		before := b.missing
		b.missing = func(c *call, missing string) *refusal {
			if missing == name {
				return nil
			}
			return before(c, missing)
		}
	}
}

// takeMember accepts a required member under another name.
func takeMember(like func(wanted, name string) bool) func(*behaviour) {
	return func(b *behaviour) {
		exact := b.member
		b.member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
			if v, given := exact(object, wanted); given {
				return v, given
			}
			for _, m := range object.Members {
				if like(wanted, m.Name) {
					return m.Value, true
				}
			}
			return strictjson.Value{}, false
		}
	}
}

// takeWrapped accepts required members inside of the object that another member holds.
func takeWrapped(wrapper string) func(*behaviour) {
	return func(b *behaviour) {
		exact := b.member
		b.member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
			if v, given := exact(object, wanted); given {
				return v, given
			}
			inner, _ := exact(object, wrapper)
			return exact(inner, wanted)
		}
	}
}

// refusedDeviations answer each fault of a body with 422 and with 500 in place of 400.
func refusedDeviations() []Deviation {
	var all []Deviation
	for _, fault := range []struct {
		name, code, what string
		breaks           spec.ID
		may              []spec.ID
	}{
		{"name-missing", "name_missing", "a missing name", "CREATE-6", nil},
		{"category-missing", "category_id_missing", "a missing categoryId", "CREATE-7", nil},
		{"name-type", "name_invalid", "a name that is not a string", "CREATE-8", nil},
		{"category-type", "category_id_invalid", "a categoryId that is not an int64", "CREATE-9", nil},
		{"status-value", "status_invalid", "an unknown status", "CREATE-10", nil},
		{"body", "body_invalid", "a body that is not JSON", "CREATE-11", ids("CREATE-10")}, // half of a surrogate pair as a status breaks both
	} {
		all = append(all,
			Deviation{Name: fault.name + "-422", Breaks: ids(fault.breaks), May: fault.may, Suffers: "A client gets 422 in place of 400 for " + fault.what + ".", apply: refuseCodeAs(unprocessable, fault.code)},
			Deviation{Name: fault.name + "-500", Breaks: ids(fault.breaks), May: append(ids("ERROR-7"), fault.may...), Suffers: "A client gets a server error for " + fault.what + ".", apply: refuseCodeAs(500, fault.code)})
	}
	return all
}

var memberCodes = []string{"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"}

var createMissingDeviations = slices.Concat(
	[]Deviation{
		{Name: "name-not-required", Breaks: ids("CREATE-6"), Suffers: "An animal without a name is created.", apply: optional("name")},
		{Name: "members-in-any-case", Breaks: ids("CREATE-6"), May: ids("CREATE-7"), Suffers: "A client that sends NAME works here and fails elsewhere.", apply: takeMember(strings.EqualFold)},
		{Name: "name-also-title", Breaks: ids("CREATE-6"), Suffers: "A name is also accepted as title, Name or NAME.", apply: takeMember(func(wanted, name string) bool {
			return wanted == "name" && slices.Contains([]string{"title", "Name", "NAME"}, name)
		})},
		{Name: "members-wrapped-in-pet", Breaks: ids("CREATE-6"), Suffers: "A client that wraps the animal in a member pet works here and fails elsewhere.", apply: takeWrapped("pet")},
		{Name: "category-not-required", Breaks: ids("CREATE-7"), Suffers: "An animal without a category is created in category 0.", apply: optional("categoryId")},
		{Name: "category-also-snake-case", Breaks: ids("CREATE-7"), Suffers: "A categoryId is also accepted as category_id, category or in another case.",
			apply: takeMember(func(wanted, name string) bool {
				return wanted == "categoryId" && (name == "category_id" || name == "category" || strings.EqualFold(name, wanted))
			})},
	},
	refusedDeviations(),
	table(Deviation{Breaks: ids("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10")}, []Deviation{
		{Name: "invalid-422", Suffers: "Every invalid member is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, memberCodes...)},
		{Name: "invalid-200", Suffers: "Every invalid member is answered 200 with an Error in the body.", apply: refuseCodeAs(200, memberCodes...)},
	}),
)
