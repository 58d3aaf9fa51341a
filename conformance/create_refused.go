package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

// refused is a body with one fault. %n stands for a name that no other request has, as a JSON string, and %c for a category that
// exists.
type refused struct{ step, body string }

// createRefused: a body that lacks a required field or holds an invalid value is answered 400 (Endpoints / createPet, Errors).
// Members have exact names: NAME is not name. 7.0 and 1e2 are left out: whether they are integers is open. The first body of each
// check is the one most likely to find a fault. One body may have several faults of the same kind: if it is accepted, the created
// animal shows which one was. The values of varied depend on the seed.
func createRefused() []Check {
	return []Check{
		refusal("create-name-missing", "400 without a name", "CREATE-6",
			bodies{always: []refused{
				{"name-in-other-forms", `{"NAME":%n,"name\u0000":"petconform NUL"," name ":"petconform spaces","pet":{"name":"petconform wrapped","categoryId":%c},"categoryId":%c}`},
				{tooLong, `{"categoryId":%c,"status":"available"` + strings.Repeat(" ", longBody) + `}`},
				{"empty-object", `{}`}}}),
		refusal("create-category-missing", "400 without a categoryId", "CREATE-7",
			bodies{always: []refused{
				{"category-in-other-forms", `{"name":%n,"categoryid":%c,"category_id":%c,"CategoryId":%c,"category":{"id":%c}}`},
				{"lone-surrogate", `{"name":%n,"status":"available","petconform":"\ud83d."}`}}}),
		refusal("create-name-invalid", "400 for a name that is not a string", "CREATE-8",
			bodies{always: []refused{
				{"null", `{"name":null,"categoryId":%c}`},
				{"number", `{"name":42,"categoryId":%c}`},
				{"array", `{"name":[%n],"categoryId":%c}`}},
				varied: []refused{
					{"true", `{"name":true,"categoryId":%c}`},
					{"object", `{"name":{"first":%n},"categoryId":%c}`},
					{"false", `{"name":false,"categoryId":%c}`},
					{"zero", `{"name":0,"categoryId":%c}`},
					{"empty-array", `{"name":[],"categoryId":%c}`}}}),
		refusal("create-category-invalid", "400 for a categoryId that is not an int64", "CREATE-9",
			bodies{always: []refused{
				{"string", `{"name":%n,"categoryId":"%c"}`},
				{"fraction", `{"name":%n,"categoryId":%c.5}`},
				{"null", `{"name":%n,"categoryId":null}`},
				{"beyond-int64", `{"name":%n,"categoryId":9223372036854775808}`},
				{"boolean", `{"name":%n,"categoryId":true}`},
				{"array", `{"name":%n,"categoryId":[%c]}`},
				{"infinity", `{"name":%n,"categoryId":1e400}`}},
				varied: []refused{
					{"empty-string", `{"name":%n,"categoryId":""}`},
					{"object", `{"name":%n,"categoryId":{"id":%c}}`},
					{"far-beyond-int64", `{"name":%n,"categoryId":1e30}`},
					{"false", `{"name":%n,"categoryId":false}`},
					{"tiny-fraction", `{"name":%n,"categoryId":1e-3}`},
					{"below-int64", `{"name":%n,"categoryId":-9223372036854775809}`},
					{"empty-array", `{"name":%n,"categoryId":[]}`},
					{"minus-infinity", `{"name":%n,"categoryId":-1e400}`}}}),
		refusal("create-status-invalid", "400 for a status outside the enumeration", "CREATE-10",
			bodies{always: []refused{
				{"unheard-of", `{"name":%n,"categoryId":%c,"status":"constructor"}`}, // every object of JavaScript has it
				{"false", `{"name":%n,"categoryId":%c,"status":false}`},
				{"in-capitals", `{"name":%n,"categoryId":%c,"status":"AVAILABLE"}`},
				{"empty", `{"name":%n,"categoryId":%c,"status":""}`},
				{"with-a-space", `{"name":%n,"categoryId":%c,"status":"available "}`},
				{"zero", `{"name":%n,"categoryId":%c,"status":0}`},
				{"array", `{"name":%n,"categoryId":%c,"status":["available"]}`}},
				varied: []refused{
					{"true", `{"name":%n,"categoryId":%c,"status":true}`},
					{"object", `{"name":%n,"categoryId":%c,"status":{}}`},
					{"with-nul", `{"name":%n,"categoryId":%c,"status":"available\u0000"}`},
					{"beginning", `{"name":%n,"categoryId":%c,"status":"avail"}`},
					{"surrogate", `{"name":%n,"categoryId":%c,"status":"\ud83d."}`},
					{"line-break", `{"name":%n,"categoryId":%c,"status":"available\n"}`},
					{"adopted", `{"name":%n,"categoryId":%c,"status":"adopted"}`},
					{"one", `{"name":%n,"categoryId":%c,"status":1}`}}}),
		refusal("create-body-invalid", "400 for a body that is not a JSON object", "CREATE-11",
			bodies{always: []refused{
				{"nan-in-an-unnamed-member", `{"name":%n,"categoryId":%c,"petconform":NaN}`},
				{"text-behind", "{\"name\":%n,\"categoryId\":%c} and \xff more"},
				{"array", `[{"name":%n,"categoryId":%c}]`},
				{"comment", `{"name":%n,/* which? */"categoryId":%c}`},
				{"comma-behind", `{"name":%n,"categoryId":%c,}`},
				{"cut-off", `{"name":%n,"categoryId":%c`},
				{"encoded-twice", `"{\"name\":\"Rex\",\"categoryId\":%c}"`},
				{"null", `null`},
				{"empty", ``}},
				varied: []refused{
					{"bare-point", `{"name":%n,"categoryId":1.}`},
					{"single-quotes", `{"name":'petconform',"categoryId":%c}`},
					{"plus", `{"name":%n,"categoryId":+1}`},
					{"leading-zero", `{"name":%n,"categoryId":01}`},
					{"bare-member", `{name:%n,"categoryId":%c}`},
					{"second-object", `{"name":%n,"categoryId":%c}{}`},
					{"hexadecimal", `{"name":%n,"categoryId":0x1}`},
					{"bare-line-break", "{\"name\":\"petconform\n\",\"categoryId\":%c}"},
					{"tab", "{\"name\":\"petconform\t\",\"categoryId\":%c}"}}}),
	}
}

const (
	// longBody is more than the largest body that many servers read: 16 kB, 64 kB or 100 kB. They answer 413, which is open
	// (Limits, rule 6), and often forget the Error body.
	longBody = 128 << 10
	// tooLong is the step whose body may be refused for its length.
	tooLong = "130-kB"
)

// bodies are those that every run sends, most important first. varied are those of which a standard run sends one.
type bodies struct{ always, varied []refused }

func refusal(id, title string, requirement spec.ID, all bodies) Check {
	post := func(s *Sender, b refused) posting {
		name := fmt.Sprintf("%q", s.Name(refusedName(id, b.step)))
		body := strings.NewReplacer("%n", name, "%c", fmt.Sprint(s.run.cfg.CategoryID)).Replace(b.body)
		return posting{b.step, body, []Option{ContentType("application/json")}}
	}
	return Check{
		ID: id, Title: title, Operation: spec.CreatePet, Proves: requirement, Requests: len(all.always) + min(1, len(all.varied)), Deeper: max(0, len(all.varied)-1), Varied: stepsOf(all.varied),
		After: []string{listAll.ID},
		Send: func(s *Sender) {
			p := post(s, all.always[0])
			s.Post(p.step, p.body, p.opts...)
		},
		Further: func(s *Sender) []posting {
			var more []posting
			for _, b := range slices.Concat(all.always[1:], some(s, 1, all.varied)) {
				more = append(more, post(s, b))
			}
			return more
		},
		Judge: func(j *Judge) {
			for _, b := range slices.Concat(all.always, all.varied) { // in this order, whatever came first
				x := j.Step(b.step)
				if x.N == 0 {
					continue // another seed sends it, or the budget of creations was used up
				}
				if y, same := unparsed(j.History, x); same {
					j.UnsureFor(y, fmt.Sprintf("a body that is not JSON is answered %d too", y.Status()))
					continue
				}
				want := []int{http.StatusBadRequest}
				if x.Step == tooLong {
					want = append(want, http.StatusRequestEntityTooLarge)
				}
				j.Status(requirement, x, want...)
			}
		},
	}
}

func stepsOf(all []refused) []string {
	var steps []string
	for _, b := range all {
		steps = append(steps, b.step)
	}
	return steps
}

// unparsed returns a body that is not JSON and is answered like the lone surrogate x, which a parser may refuse too.
func unparsed(h *history.History, x history.Exchange) (history.Exchange, bool) {
	for _, y := range h.Of("create-body-invalid") {
		if x.Step == "lone-surrogate" && x.Status() != http.StatusBadRequest && x.Status() >= 400 && y.Status() == x.Status() && y.MediaType() == x.MediaType() {
			return y, true
		}
	}
	return history.Exchange{}, false
}

// refusedName returns the name in a request that has to be refused. It identifies an animal that the request leaves behind.
func refusedName(check, step string) string { return "refused-" + check + "-" + step }
