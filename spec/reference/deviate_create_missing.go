package reference

import (
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
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

// alias accepts one member under any of those names.
func alias(member string, names ...string) func(*behaviour) {
	return takeMember(func(wanted, name string) bool { return wanted == member && slices.Contains(names, name) })
}

var invalidCodes = []string{"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"}

// A client that handles 400 does not handle another status.
var createMissingDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-6")}, []Deviation{
		{Name: "name-not-required", Suffers: "An animal without a name is created.", apply: optional("name")},
		{Name: "members-in-any-case", May: ids("CREATE-7"), Suffers: "A client that sends NAME works here and fails elsewhere.", apply: takeMember(strings.EqualFold)},
		{Name: "name-also-title", Suffers: "A name is also accepted as title, Name or NAME.", apply: alias("name", "title", "Name", "NAME")},
		{Name: "name-missing-422", Suffers: "A missing name is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "name_missing")},
		{Name: "name-missing-500", May: ids("ERROR-7"), Suffers: "A missing name ends in a server error.", apply: refuseCodeAs(500, "name_missing")},
	}),
	table(Deviation{Breaks: ids("CREATE-7")}, []Deviation{
		{Name: "category-not-required", Suffers: "An animal without a category is created in category 0.", apply: optional("categoryId")},
		{Name: "category-also-snake-case", Suffers: "A categoryId is also accepted as category_id, category or in another case.", apply: takeMember(func(wanted, name string) bool {
			return wanted == "categoryId" && (name == "category_id" || name == "category" || strings.EqualFold(name, wanted))
		})},
		{Name: "category-missing-422", Suffers: "A missing categoryId is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "category_id_missing")},
		{Name: "category-missing-500", May: ids("ERROR-7"), Suffers: "A missing categoryId ends in a server error.", apply: refuseCodeAs(500, "category_id_missing")},
	}),
	table(Deviation{Breaks: ids("CREATE-8")}, []Deviation{
		{Name: "name-type-422", Suffers: "A name that is not a string is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "name_invalid")},
		{Name: "name-type-500", May: ids("ERROR-7"), Suffers: "A name that is not a string ends in a server error.", apply: refuseCodeAs(500, "name_invalid")},
	}),
	table(Deviation{Breaks: ids("CREATE-9")}, []Deviation{
		{Name: "category-type-422", Suffers: "A categoryId that is not an int64 is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "category_id_invalid")},
		{Name: "category-type-500", May: ids("ERROR-7"), Suffers: "A categoryId that is not an int64 ends in a server error.", apply: refuseCodeAs(500, "category_id_invalid")},
	}),
	table(Deviation{Breaks: ids("CREATE-10")}, []Deviation{
		{Name: "status-value-422", Suffers: "An unknown status is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "status_invalid")},
		{Name: "status-value-500", May: ids("ERROR-7"), Suffers: "An unknown status ends in a server error.", apply: refuseCodeAs(500, "status_invalid")},
	}),
	table(Deviation{Breaks: ids("CREATE-11")}, []Deviation{
		{Name: "body-422", Suffers: "A body that is not JSON is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, "body_invalid")},
		{Name: "body-500", May: ids("ERROR-7"), Suffers: "A body that is not JSON ends in a server error.", apply: refuseCodeAs(500, "body_invalid")},
	}),
	table(Deviation{Breaks: ids("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10")}, []Deviation{
		{Name: "invalid-422", Suffers: "Every invalid member is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, invalidCodes...)},
		{Name: "invalid-200", Suffers: "Every invalid member is answered 200 with an Error in the body.", apply: refuseCodeAs(200, invalidCodes...)},
	}),
)
