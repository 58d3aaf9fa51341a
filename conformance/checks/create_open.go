package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec"
)

// openBodies are requests whose response is not shown. The check observes the status, and rules judge the response: a creation
// returns what was sent, and an error has the Error body.
var openBodies = []struct {
	step, key   string
	requirement spec.ID
	// body makes the request's body from a name and a category.
	body        string
	contentType string
	noType      bool
	deep        bool // a quick run does not send it
}{
	{step: "unknown-member", key: "a member that NewPet does not name", requirement: "CREATE-16", body: `{"name":%q,"categoryId":%d,"status":"available","petconform":true}`},
	{step: "empty-name", key: "an empty name", requirement: "CREATE-17", body: `{"name":"","categoryId":%[2]d,"status":"pending"}`},
	{step: "null-status", key: "a status that is null", requirement: "CREATE-18", body: `{"name":%q,"categoryId":%d,"status":null}`},
	{step: "xml", key: "a body declared application/xml", requirement: "CREATE-19", body: `{"name":%q,"categoryId":%d,"status":"available"}`, contentType: "application/xml", deep: true},
	{step: "no-media-type", key: "a body without Content-Type", requirement: "CREATE-19", body: `{"name":%q,"categoryId":%d,"status":"available"}`, noType: true},
	{step: "integer-as-1.0", key: "a categoryId written with .0", requirement: "CREATE-20", body: `{"name":%q,"categoryId":%d.0,"status":"available"}`, deep: true},
}

var createOpen = check.Check{
	ID: "create-open", Title: "createPet with what the interface leaves open", Operation: spec.CreatePet,
	Proves: "CREATE-16", Also: []spec.ID{"CREATE-17", "CREATE-18", "CREATE-19", "CREATE-20", "CREATE-21"},
	Requests: len(openBodies) - 2, Deeper: 2, Creates: len(openBodies) - 2, After: []string{"create-statuses"},
	// In the last rounds: their requirements are open, so the others come first.
	Further: func(s *check.Sender) []check.Request { return sendOpen(s, false) },
	Deep:    func(s *check.Sender) []check.Request { return sendOpen(s, true) },
	Judge: func(j *check.Judge) {
		for _, o := range openBodies {
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
}

func sendOpen(s *check.Sender, deep bool) []check.Request {
	var all []check.Request
	for _, o := range openBodies {
		var opts []check.Option
		if o.contentType != "" || o.noType {
			opts = append(opts, check.ContentType(o.contentType))
		}
		if o.deep == deep {
			all = append(all, check.Post(o.step, fmt.Sprintf(o.body, s.Name("open-"+o.step), s.Config.CategoryID), opts...))
		}
	}
	return all
}
