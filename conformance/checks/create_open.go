package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec"
)

// openBody is a request whose response is not shown. The check observes the status, and rules judge the response: a
// creation returns what was sent, and an error has the Error body.
type openBody struct {
	step, key   string
	requirement spec.ID
	// body makes the request's body from a name and a category.
	body    string
	options []check.Option
}

const plainBody = `{"name":%q,"categoryId":%d,"status":"available"}`

var openBodies = values[openBody]{
	always: []openBody{
		{"unknown-member", "a member that NewPet does not name", "CREATE-16",
			`{"name":%q,"categoryId":%d,"status":"available","petconform":true}`, nil},
		{"empty-name", "an empty name", "CREATE-17", `{"name":"","categoryId":%[2]d,"status":"pending"}`, nil},
		{"null-status", "a status that is null", "CREATE-18", `{"name":%q,"categoryId":%d,"status":null}`, nil},
		{"no-media-type", "a body without Content-Type", "CREATE-19", plainBody, []check.Option{check.ContentType("")}},
	},
	deep: []openBody{
		{"xml", "a body declared application/xml", "CREATE-19", plainBody, []check.Option{check.ContentType("application/xml")}},
		{"integer-as-1.0", "a categoryId written with .0", "CREATE-20", `{"name":%q,"categoryId":%d.0,"status":"available"}`, nil},
	},
}

func withOpenBody(s *check.Sender, o openBody) check.Request {
	return check.Post(o.step, fmt.Sprintf(o.body, s.Name("open-"+o.step), s.CategoryID), o.options...)
}

var createOpen = openBodies.inRounds(check.Check{
	ID: "create-open", Title: "createPet with what the interface leaves open", Operation: spec.CreatePet,
	Proves: "CREATE-16", Also: []spec.ID{"CREATE-17", "CREATE-18", "CREATE-19", "CREATE-20", "CREATE-21"},
	Creates: len(openBodies.always), After: []string{"create-statuses"},
	Judge: func(j *check.Judge) {
		for _, o := range openBodies.all() {
			j.ObserveStatus(o.requirement, o.key, j.Step(o.step))
		}
		if all := j.History.Created(); len(all) > 0 {
			value := "not sent"
			if all[0].Exchange.Response.Header.Get("Location") != "" {
				value = "sent"
			}
			j.Observe("CREATE-21", "Location of a 201", value)
		}
	},
}, func(o openBody) string { return o.step }, withOpenBody)
