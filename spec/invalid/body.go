package invalid

import (
	"net/http"
	"strings"

	"petconform/spec"
)

// Body is a body of createPet with one fault. %n stands for a name that no other request has, as a JSON string, and
// %c for a category that exists. Step names the fault in the recording of a check.
type Body struct{ Step, Text string }

// LargeBody is the size of a body, in bytes, from which 413 is open (Limits, rule 6).
const LargeBody = 1 << 10

// Gets returns the statuses of which a service must answer one.
func (b Body) Gets() []int {
	if len(b.Text) > LargeBody {
		return []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge}
	}
	return []int{http.StatusBadRequest}
}

// longBody is more than the largest body that many servers read: 16 kB, 64 kB or 100 kB. They answer 413, and often
// forget the Error body.
const longBody = 128 << 10

// bodies are those of the checks. The first one of a requirement is the one most likely to find a fault. Members
// have exact names: NAME is not name. 7.0 and 1e2 are left out: whether they are integers is open. One body may have
// several faults of the same kind: if it is accepted, the created animal shows which one was.
var bodies = []struct {
	breaks         spec.ID
	always, varied []Body
}{
	{breaks: "CREATE-6", always: []Body{
		{"name-in-other-forms", `{"NAME":%n,"name\u0000":"petconform NUL"," name ":"petconform spaces",` +
			`"pet":{"name":"petconform wrapped","categoryId":%c},"categoryId":%c}`},
		{"130-kB", `{"categoryId":%c,"status":"available"` + strings.Repeat(" ", longBody) + `}`},
		{"empty-object", `{}`},
	}},
	{breaks: "CREATE-7", always: []Body{
		{"category-in-other-forms", `{"name":%n,"categoryid":%c,"category_id":%c,"CategoryId":%c,"category":{"id":%c}}`},
		{"lone-surrogate", `{"name":%n,"status":"available","petconform":"\ud83d."}`},
	}},
	{breaks: "CREATE-8", always: []Body{
		{"null", `{"name":null,"categoryId":%c}`},
		{"number", `{"name":42,"categoryId":%c}`},
		{"array", `{"name":[%n],"categoryId":%c}`},
	}, varied: []Body{
		{"true", `{"name":true,"categoryId":%c}`},
		{"object", `{"name":{"first":%n},"categoryId":%c}`},
		{"false", `{"name":false,"categoryId":%c}`},
		{"zero", `{"name":0,"categoryId":%c}`},
		{"empty-array", `{"name":[],"categoryId":%c}`},
	}},
	{breaks: "CREATE-9", always: []Body{
		{"string", `{"name":%n,"categoryId":"%c"}`},
		{"fraction", `{"name":%n,"categoryId":%c.5}`},
		{"null", `{"name":%n,"categoryId":null}`},
		{"beyond-int64", `{"name":%n,"categoryId":9223372036854775808}`},
		{"boolean", `{"name":%n,"categoryId":true}`},
		{"array", `{"name":%n,"categoryId":[%c]}`},
		{"infinity", `{"name":%n,"categoryId":1e400}`},
	}, varied: []Body{
		{"empty-string", `{"name":%n,"categoryId":""}`},
		{"object", `{"name":%n,"categoryId":{"id":%c}}`},
		{"far-beyond-int64", `{"name":%n,"categoryId":1e30}`},
		{"false", `{"name":%n,"categoryId":false}`},
		{"tiny-fraction", `{"name":%n,"categoryId":1e-3}`},
		{"below-int64", `{"name":%n,"categoryId":-9223372036854775809}`},
		{"empty-array", `{"name":%n,"categoryId":[]}`},
		{"minus-infinity", `{"name":%n,"categoryId":-1e400}`},
	}},
	{breaks: "CREATE-10", always: []Body{
		{"unheard-of", `{"name":%n,"categoryId":%c,"status":"constructor"}`}, // every object of JavaScript has it
		{"false", `{"name":%n,"categoryId":%c,"status":false}`},
		{"in-capitals", `{"name":%n,"categoryId":%c,"status":"AVAILABLE"}`},
		{"empty", `{"name":%n,"categoryId":%c,"status":""}`},
		{"with-a-space", `{"name":%n,"categoryId":%c,"status":"available "}`},
		{"zero", `{"name":%n,"categoryId":%c,"status":0}`},
		{"array", `{"name":%n,"categoryId":%c,"status":["available"]}`},
	}, varied: []Body{
		{"true", `{"name":%n,"categoryId":%c,"status":true}`},
		{"object", `{"name":%n,"categoryId":%c,"status":{}}`},
		{"with-nul", `{"name":%n,"categoryId":%c,"status":"available\u0000"}`},
		{"beginning", `{"name":%n,"categoryId":%c,"status":"avail"}`},
		{"surrogate", `{"name":%n,"categoryId":%c,"status":"\ud83d."}`},
		{"line-break", `{"name":%n,"categoryId":%c,"status":"available\n"}`},
		{"adopted", `{"name":%n,"categoryId":%c,"status":"adopted"}`},
		{"one", `{"name":%n,"categoryId":%c,"status":1}`},
	}},
	{breaks: "CREATE-11", always: []Body{
		{"nan-in-an-unnamed-member", `{"name":%n,"categoryId":%c,"petconform":NaN}`},
		{"text-behind", "{\"name\":%n,\"categoryId\":%c} and \xff more"},
		{"array", `[{"name":%n,"categoryId":%c}]`},
		{"comment", `{"name":%n,/* which? */"categoryId":%c}`},
		{"comma-behind", `{"name":%n,"categoryId":%c,}`},
		{"cut-off", `{"name":%n,"categoryId":%c`},
		{"encoded-twice", `"{\"name\":\"Rex\",\"categoryId\":%c}"`},
		{"null", `null`},
		{"empty", ``},
	}, varied: []Body{
		{"bare-point", `{"name":%n,"categoryId":1.}`},
		{"single-quotes", `{"name":'petconform',"categoryId":%c}`},
		{"plus", `{"name":%n,"categoryId":+1}`},
		{"leading-zero", `{"name":%n,"categoryId":01}`},
		{"bare-member", `{name:%n,"categoryId":%c}`},
		{"second-object", `{"name":%n,"categoryId":%c}{}`},
		{"hexadecimal", `{"name":%n,"categoryId":0x1}`},
		{"bare-line-break", "{\"name\":\"petconform\n\",\"categoryId\":%c}"},
		{"tab", "{\"name\":\"petconform\t\",\"categoryId\":%c}"},
	}},
}

// Bodies returns the bodies that break a requirement where a service accepts them: those that every run sends, and
// those of which a standard run sends one.
func Bodies(breaks spec.ID) (always, varied []Body) {
	for _, b := range bodies {
		if b.breaks == breaks {
			return b.always, b.varied
		}
	}
	return nil, nil
}
