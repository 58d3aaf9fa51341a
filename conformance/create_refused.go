package conformance

import (
	"fmt"
	"strings"

	"petconform/spec"
)

// refused is a body with one fault. %n stands for a name that no other request has, as a JSON string, and %c for a category that
// exists.
type refused struct{ step, body string }

// createRefused: a body that lacks a required field or holds an invalid value is answered 400 (Endpoints / createPet,
// Errors). Members have exact names: NAME is not name. 7.0 and 1e2 are left out: whether they are integers is open.
func createRefused() []Check {
	return []Check{
		refusal("create-name-missing", "400 without a name", "CREATE-6",
			refused{"no-name", `{"categoryId":%c,"status":"available"}`},
			refused{"name-in-capitals", `{"NAME":%n,"categoryId":%c}`}),
		refusal("create-category-missing", "400 without a categoryId", "CREATE-7",
			refused{"no-category", `{"name":%n,"status":"available"}`},
			refused{"category-in-other-case", `{"name":%n,"categoryid":%c,"category_id":%c,"CategoryId":%c}`}),
		refusal("create-name-invalid", "400 for a name that is not a string", "CREATE-8",
			refused{"null", `{"name":null,"categoryId":%c}`},
			refused{"number", `{"name":42,"categoryId":%c}`},
			refused{"boolean", `{"name":true,"categoryId":%c}`},
			refused{"object", `{"name":{"first":%n},"categoryId":%c}`},
			refused{"array", `{"name":[%n],"categoryId":%c}`}),
		refusal("create-category-invalid", "400 for a categoryId that is not an int64", "CREATE-9",
			refused{"string", `{"name":%n,"categoryId":"%c"}`},
			refused{"empty-string", `{"name":%n,"categoryId":""}`},
			refused{"null", `{"name":%n,"categoryId":null}`},
			refused{"object", `{"name":%n,"categoryId":{"id":%c}}`},
			refused{"fraction", `{"name":%n,"categoryId":%c.5}`},
			refused{"boolean", `{"name":%n,"categoryId":true}`},
			refused{"array", `{"name":%n,"categoryId":[%c]}`},
			refused{"beyond-int64", `{"name":%n,"categoryId":9223372036854775808}`},
			refused{"far-beyond-int64", `{"name":%n,"categoryId":1e30}`}),
		refusal("create-status-invalid", "400 for a status outside the enumeration", "CREATE-10",
			refused{"unheard-of", `{"name":%n,"categoryId":%c,"status":"unheard-of"}`},
			refused{"in-capitals", `{"name":%n,"categoryId":%c,"status":"AVAILABLE"}`},
			refused{"empty", `{"name":%n,"categoryId":%c,"status":""}`},
			refused{"with-a-space", `{"name":%n,"categoryId":%c,"status":"available "}`},
			refused{"number", `{"name":%n,"categoryId":%c,"status":1}`},
			refused{"boolean", `{"name":%n,"categoryId":%c,"status":true}`},
			refused{"array", `{"name":%n,"categoryId":%c,"status":["available"]}`}),
		refusal("create-body-invalid", "400 for a body that is not a JSON object", "CREATE-11",
			refused{"cut-off", `{"name":%n,"categoryId":%c`},
			refused{"text-behind", `{"name":%n,"categoryId":%c} and more`},
			refused{"comment", `{"name":%n,/* which? */"categoryId":%c}`},
			refused{"comma-behind", `{"name":%n,"categoryId":%c,}`},
			refused{"nan", `{"name":%n,"categoryId":NaN}`},
			refused{"array", `[{"name":%n,"categoryId":%c}]`},
			refused{"encoded-twice", `"{\"name\":\"Rex\",\"categoryId\":%c}"`},
			refused{"null", `null`},
			refused{"empty", ``}),
	}
}

func refusal(id, title string, requirement spec.ID, bodies ...refused) Check {
	return Check{
		ID: id, Title: title, Operation: spec.CreatePet, Proves: requirement, Requests: len(bodies),
		After: []string{"list-all"},
		Send: func(s *Sender) {
			for _, b := range bodies {
				name := fmt.Sprintf("%q", s.Name(refusedName(id, b.step)))
				body := strings.NewReplacer("%n", name, "%c", fmt.Sprint(s.run.cfg.CategoryID)).Replace(b.body)
				s.Post(b.step, body, ContentType("application/json"))
			}
		},
		Judge: func(j *Judge) {
			for _, x := range j.Steps("") {
				j.Status(requirement, x, 400)
			}
		},
	}
}

// refusedName is the name in a request that is refused. An animal that the request leaves behind is known by it.
func refusedName(check, step string) string { return "refused-" + check + "-" + step }
