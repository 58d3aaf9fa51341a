package reference

import (
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// refusedAs makes a deviation that answers bodies which are wrong for one of those reasons with another status than 400.
func refusedAs(name string, breaks []spec.ID, suffers string, status int, codes ...string) Deviation {
	d := Deviation{Name: name, Breaks: breaks, Suffers: suffers}
	if status >= 500 {
		d.May = ids("ERROR-7")
	}
	d.apply = func(b *behaviour) {
		read := b.understand[spec.CreatePet]
		b.understand[spec.CreatePet] = func(c *call) *refusal {
			refused := read(c)
			if refused == nil {
				return nil
			}
			for _, code := range codes {
				if refused.code == code {
					return &refusal{status: status, code: code, message: refused.message}
				}
			}
			return refused
		}
	}
	return d
}

// unrequired makes a deviation that takes bodies without a required member.
func unrequired(name string, breaks spec.ID, suffers, member string, fill func(*spec.NewPet)) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), Suffers: suffers,
		apply: func(b *behaviour) {
			before := b.missing
			b.missing = func(c *call, missing string) *refusal {
				if missing != member {
					return before(c, missing)
				}
				fill(&c.draft.NewPet)
				return nil
			}
		},
	}
}

// likeMember makes a deviation that takes a member under another name.
func likeMember(name string, breaks spec.ID, suffers, member string, like func(name string) bool, may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			exact := b.member
			b.member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
				v, given := exact(object, wanted)
				if given || member != "" && wanted != member {
					return v, given
				}
				for _, m := range object.Members {
					if like(m.Name) && (member != "" || strings.EqualFold(m.Name, wanted)) {
						return m.Value, true
					}
				}
				return v, false
			}
		},
	}
}

const unprocessable = http.StatusUnprocessableEntity

var createMissingDeviations = []Deviation{
	unrequired("name-not-required", "CREATE-6", "Animals without a name get into the shop.", "name", func(*spec.NewPet) {}),
	unrequired("name-made-up", "CREATE-6", "An animal without a name is called Unnamed.", "name", func(p *spec.NewPet) { p.Name = "Unnamed" }),
	unrequired("category-not-required", "CREATE-7", "Animals without a category are put into category 0.", "categoryId", func(*spec.NewPet) {}),
	unrequired("category-made-up", "CREATE-7", "Animals without a category are put into the first one.", "categoryId", func(p *spec.NewPet) { p.CategoryID = 1 }),
	likeMember("members-in-any-case", "CREATE-6", "A client that sends NAME works here and fails elsewhere.", "", func(string) bool { return true }, "CREATE-7"),
	likeMember("name-also-title", "CREATE-6", "A name may be sent as title, name in capitals or Name.", "name", func(n string) bool {
		return n == "title" || n == "Name" || n == "NAME"
	}),
	likeMember("category-also-snake-case", "CREATE-7", "A category may be sent under three names.", "categoryId", func(n string) bool {
		return n == "category_id" || n == "category" || strings.EqualFold(n, "categoryId")
	}),
	refusedAs("name-missing-422", ids("CREATE-6"), "A client that handles 400 does not handle this.", unprocessable, "name_missing"),
	refusedAs("name-missing-500", ids("CREATE-6"), "The database complains instead of the validator.", 500, "name_missing"),
	refusedAs("name-missing-404", ids("CREATE-6"), "A missing name looks like a wrong address.", 404, "name_missing"),
	refusedAs("category-missing-422", ids("CREATE-7"), "A client that handles 400 does not handle this.", unprocessable, "category_id_missing"),
	refusedAs("category-missing-500", ids("CREATE-7"), "The database complains instead of the validator.", 500, "category_id_missing"),
	refusedAs("category-missing-409", ids("CREATE-7"), "A broken foreign key is told as a conflict.", 409, "category_id_missing"),
	refusedAs("name-type-422", ids("CREATE-8"), "A client that handles 400 does not handle this.", unprocessable, "name_invalid"),
	refusedAs("name-type-500", ids("CREATE-8"), "A method of strings is called on something else.", 500, "name_invalid"),
	refusedAs("category-type-422", ids("CREATE-9"), "A client that handles 400 does not handle this.", unprocessable, "category_id_invalid"),
	refusedAs("category-type-500", ids("CREATE-9"), "A cast fails where nobody expects it.", 500, "category_id_invalid"),
	refusedAs("category-type-404", ids("CREATE-9"), "A category that is no number is looked up, and not found.", 404, "category_id_invalid"),
	refusedAs("status-value-422", ids("CREATE-10"), "A client that handles 400 does not handle this.", unprocessable, "status_invalid"),
	refusedAs("status-value-500", ids("CREATE-10"), "A constraint of the database complains.", 500, "status_invalid"),
	refusedAs("status-value-409", ids("CREATE-10"), "An unknown status is told as a conflict.", 409, "status_invalid"),
	refusedAs("body-422", ids("CREATE-11"), "A body that is no JSON is told as one that is.", unprocessable, "body_invalid"),
	refusedAs("body-500", ids("CREATE-11"), "The parser's exception is caught by nobody.", 500, "body_invalid"),
	refusedAs("body-415", ids("CREATE-11"), "A body that cannot be parsed is told as another media type.", 415, "body_invalid"),
	refusedAs("invalid-422", ids("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10"), "The validator has its own idea of the status.", unprocessable,
		"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"),
	refusedAs("invalid-200", ids("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10"), "Refusals are told with 200 and an Error in the body.", 200,
		"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"),
}
