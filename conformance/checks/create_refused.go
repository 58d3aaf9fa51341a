package checks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// createRefused: a body that lacks a required field or holds an invalid value is answered 400 (Endpoints / createPet,
// Errors). The bodies are those of spec/invalid.
func createRefused() []check.Check {
	return []check.Check{
		refusal("create-name-missing", "400 without a name", "CREATE-6"),
		refusal("create-category-missing", "400 without a categoryId", "CREATE-7"),
		refusal("create-name-invalid", "400 for a name that is not a string", "CREATE-8"),
		refusal("create-category-invalid", "400 for a categoryId that is not an int64", "CREATE-9"),
		refusal("create-status-invalid", "400 for a status outside the enumeration", "CREATE-10"),
		refusal("create-body-invalid", "400 for a body that is not a JSON object", "CREATE-11"),
	}
}

func refusal(id, title string, requirement spec.ID) check.Check {
	var sent values[invalid.Body]
	sent.always, sent.varied, sent.deep = invalid.Bodies(requirement)
	post := func(s *check.Sender, b invalid.Body) check.Request {
		name := fmt.Sprintf("%q", s.Name(refusedName(id, b.Step)))
		body := strings.NewReplacer("%n", name, "%c", fmt.Sprint(s.CategoryID)).Replace(b.Text)
		return check.Post(b.Step, body, check.ContentType("application/json"), check.Headers(b.Header))
	}
	c := sent.inRounds(check.Check{
		ID: id, Title: title, Operation: spec.CreatePet, Proves: requirement, After: []string{ListAll.ID},
		Judge: func(j *check.Judge) {
			for _, b := range sent.all() { // in this order, whatever came first
				x := narrowest(j, b.Step)
				if x.N == 0 {
					continue // another seed or a full run sends it, or the budget of creations was used up
				}
				if y, same := unparsed(j.History, x); same {
					j.UnsureFor(y, fmt.Sprintf("a body that is not JSON is answered %d too", y.Status()))
					continue
				}
				j.Status(requirement, x, b.Gets()...)
			}
		},
	}, func(b invalid.Body) string { return b.Step }, post)
	further, first := c.Further, sent.always[0]
	c.Send = func(s *check.Sender) { s.Do(post(s, first)) }
	c.Further = func(s *check.Sender) []check.Request { return further(s)[1:] }
	c.Parts = func(s *check.Sender) []check.Request {
		whole := lastStep(s.History(), id, first.Step)
		return partsOf(whole, slices.Contains(first.Gets(), whole.Status()), each(s, first.Parts(), post)...)
	}
	return c
}

// unparsed returns a body that is not JSON and is answered like the lone surrogate x, which a parser may refuse too.
func unparsed(h *history.History, x history.Exchange) (history.Exchange, bool) {
	if x.Step != "lone-surrogate" || x.Status() == http.StatusBadRequest || x.Status() < 400 {
		return history.Exchange{}, false
	}
	return firstOf(h.Of("create-body-invalid"), func(y history.Exchange) bool {
		return y.Status() == x.Status() && y.MediaType() == x.MediaType()
	})
}

// refusedName returns the name in a request that has to be refused. It identifies an animal that the request leaves
// behind.
func refusedName(check, step string) string { return "refused-" + check + "-" + step }
