package invalid

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
)

// Body is a body of createPet with one fault. %n stands for a name that no other request has, as a JSON string, and
// %c for a category that exists. Step names the fault in the recording of a check. Header is what the request has
// besides: a media type other than application/json, or a transfer coding.
type Body struct {
	Step, Text string
	Header     http.Header
	// parts are the texts of bodies with one of the faults of Text each.
	parts []string
}

// Parts returns bodies with one of the faults of b each, if it has several.
func (b Body) Parts() []Body {
	all := make([]Body, len(b.parts))
	for i, text := range b.parts {
		all[i] = Body{Step: fmt.Sprintf("%s-%d", b.Step, i+1), Text: text}
	}
	return all
}

// LargeBody is the size of a body, in bytes, from which 413 is open (Limits, rule 6).
const LargeBody = 1 << 10

// Gets returns the statuses of which a service must answer one.
func (b Body) Gets() []int {
	switch {
	case len(b.Text) > LargeBody:
		return []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge}
	case b.Header.Get("Content-Type") != "", b.Text == "": // an empty body has no media type
		return []int{http.StatusBadRequest, http.StatusUnsupportedMediaType}
	case b.Header.Get("Transfer-Encoding") != "": // RFC 9112, section 6.3 allows 411
		return []int{http.StatusBadRequest, http.StatusLengthRequired}
	}
	return []int{http.StatusBadRequest}
}

// longBody is more than the largest body that many servers read: 16 kB, 64 kB or 100 kB. They answer 413, and often
// forget the Error body.
const longBody = 128 << 10

// longestBody is below the 1 MiB that a common server in front of a service lets through.
const longestBody = 1000 << 10

// withSpaces is a body without a name, padded with n spaces.
func withSpaces(n int) string {
	return `{"categoryId":%c,"status":"available"` + strings.Repeat(" ", n) + `}`
}

// bodies are those of the checks. The first one of a requirement is the one most likely to find a fault. Members have
// exact names: NAME is not name. 7.0 and 1e2 are left out: whether they are integers is open. One body may have several
// faults of the same kind: if it is accepted, the created animal shows which one was. A quick run sends those of quick,
// and a full run all. Sequences of requests send the texts of rare more often than any other.
var bodies = []struct {
	breaks       spec.ID
	quick, full  []Body
	rare, others []string
}{
	{breaks: "CREATE-6", quick: []Body{
		{Step: "name-in-other-forms", Text: `{"NAME":%n,"name\u0000":"petconform NUL"," name ":"petconform spaces",` +
			`"pet":{"name":"petconform wrapped","categoryId":%c},"categoryId":%c}`, parts: []string{
			`{"NAME":%n,"categoryId":%c}`, `{"name\u0000":%n,"categoryId":%c}`, `{" name ":%n,"categoryId":%c}`,
			`{"pet":{"name":%n,"categoryId":%c},"categoryId":%c}`,
		}},
		{Step: "130-kB", Text: withSpaces(longBody)},
		{Step: "empty-object", Text: `{}`},
	}, full: []Body{ // each lacks a name, so that a service which reads it creates nothing
		{Step: "1-MB", Text: withSpaces(longestBody)},
		{Step: "chunked", Text: withSpaces(0), Header: http.Header{"Transfer-Encoding": {"chunked"}}},
	}, rare: []string{
		`{"name\u0000":%n,"categoryId":%c}`, `{"name ":%n,"categoryId":%c}`, `{"Name":%n,"categoryId":%c}`,
	}, others: []string{
		`{"categoryId":%c,"status":"available"}`, `{"NAME":%n,"categoryId":%c}`,
		`{"pet":{"name":%n,"categoryId":%c}}`,
	}},
	{breaks: "CREATE-7", quick: []Body{
		{Step: "category-in-other-forms", Text: `{"name":%n,"categoryid":%c,"category_id":%c,"CategoryId":%c,"category":{"id":%c}}`, parts: []string{
			`{"name":%n,"categoryid":%c}`, `{"name":%n,"category_id":%c}`, `{"name":%n,"CategoryId":%c}`, `{"name":%n,"category":{"id":%c}}`,
		}},
		{Step: "lone-surrogate", Text: `{"name":%n,"status":"available","petconform":"\ud83d."}`},
	}, rare: []string{
		`{"name":%n,"categoryId\u0000":%c}`, `{"name":%n,"category_id":%c}`, `{"name":%n,"category":%c}`,
		`{"name":%n,"status":"\ud83d."}`,
	}, others: []string{
		`{"name":%n,"status":"sold"}`, `{"name":%n,"categoryid":%c}`, `{"name":%n}`,
	}},
	{breaks: "CREATE-8", quick: []Body{
		{Step: "null", Text: `{"name":null,"categoryId":%c}`},
		{Step: "number", Text: `{"name":42,"categoryId":%c}`},
		{Step: "array", Text: `{"name":[%n],"categoryId":%c}`},
		{Step: "true", Text: `{"name":true,"categoryId":%c}`},
	}, full: []Body{
		{Step: "object", Text: `{"name":{"first":%n},"categoryId":%c}`},
		{Step: "false", Text: `{"name":false,"categoryId":%c}`},
		{Step: "zero", Text: `{"name":0,"categoryId":%c}`},
		{Step: "empty-array", Text: `{"name":[],"categoryId":%c}`},
	}, rare: []string{
		`{"name":[],"categoryId":%c}`, `{"name":{},"categoryId":%c}`, `{"name":0,"categoryId":%c}`,
	}, others: []string{
		`{"name":{"en":%n},"categoryId":%c}`,
	}},
	{breaks: "CREATE-9", quick: []Body{
		{Step: "string", Text: `{"name":%n,"categoryId":"%c"}`},
		{Step: "fraction", Text: `{"name":%n,"categoryId":%c.5}`},
		{Step: "null", Text: `{"name":%n,"categoryId":null}`},
		{Step: "beyond-int64", Text: `{"name":%n,"categoryId":9223372036854775808}`},
		{Step: "boolean", Text: `{"name":%n,"categoryId":true}`},
		{Step: "array", Text: `{"name":%n,"categoryId":[%c]}`},
		{Step: "infinity", Text: `{"name":%n,"categoryId":1e400}`},
		{Step: "empty-string", Text: `{"name":%n,"categoryId":""}`},
		{Step: "object", Text: `{"name":%n,"categoryId":{"id":%c}}`},
	}, full: []Body{
		{Step: "far-beyond-int64", Text: `{"name":%n,"categoryId":1e30}`},
		{Step: "false", Text: `{"name":%n,"categoryId":false}`},
		{Step: "tiny-fraction", Text: `{"name":%n,"categoryId":1e-3}`},
		{Step: "below-int64", Text: `{"name":%n,"categoryId":-9223372036854775809}`},
		{Step: "empty-array", Text: `{"name":%n,"categoryId":[]}`},
		{Step: "minus-infinity", Text: `{"name":%n,"categoryId":-1e400}`},
		{Step: "empty-object", Text: `{"name":%n,"categoryId":{}}`},
	}, rare: []string{
		`{"name":%n,"categoryId":1e400}`, `{"name":%n,"categoryId":-1e400}`, `{"name":%n,"categoryId":[]}`,
		`{"name":%n,"categoryId":0.1}`,
	}, others: []string{
		`{"name":%n,"categoryId":18446744073709551616}`,
	}},
	{breaks: "CREATE-10", quick: []Body{
		{Step: "unheard-of", Text: `{"name":%n,"categoryId":%c,"status":"constructor"}`}, // every object of JavaScript has it
		{Step: "false", Text: `{"name":%n,"categoryId":%c,"status":false}`},
		{Step: "in-capitals", Text: `{"name":%n,"categoryId":%c,"status":"AVAILABLE"}`},
		{Step: "empty", Text: `{"name":%n,"categoryId":%c,"status":""}`},
		{Step: "with-a-space", Text: `{"name":%n,"categoryId":%c,"status":"available "}`},
		{Step: "zero", Text: `{"name":%n,"categoryId":%c,"status":0}`}, // an enumeration of C# has it
		{Step: "array", Text: `{"name":%n,"categoryId":%c,"status":["available"]}`},
		{Step: "true", Text: `{"name":%n,"categoryId":%c,"status":true}`}, // equal to any status in PHP
	}, full: []Body{
		{Step: "object", Text: `{"name":%n,"categoryId":%c,"status":{}}`},
		{Step: "with-nul", Text: `{"name":%n,"categoryId":%c,"status":"available\u0000"}`},
		{Step: "beginning", Text: `{"name":%n,"categoryId":%c,"status":"avail"}`},
		{Step: "surrogate", Text: `{"name":%n,"categoryId":%c,"status":"\ud83d."}`},
		{Step: "line-break", Text: `{"name":%n,"categoryId":%c,"status":"available\n"}`},
		{Step: "adopted", Text: `{"name":%n,"categoryId":%c,"status":"adopted"}`},
		{Step: "not-ascii", Text: `{"name":%n,"categoryId":%c,"status":"verf\u00fcgbar"}`}, // an error message may quote it
		{Step: "one", Text: `{"name":%n,"categoryId":%c,"status":1}`},
	}, rare: []string{
		`{"name":%n,"categoryId":%c,"status":{}}`, `{"name":%n,"categoryId":%c,"status":[]}`,
		`{"name":%n,"categoryId":%c,"status":false}`, `{"name":%n,"categoryId":%c,"status":"sold\u0000"}`,
		`{"name":%n,"categoryId":%c,"status":"avail"}`, `{"name":%n,"categoryId":%c,"status":"\ud83d."}`,
	}, others: []string{
		`{"name":%n,"categoryId":%c,"status":"Sold"}`, `{"name":%n,"categoryId":%c,"status":" available"}`,
		`{"name":%n,"categoryId":%c,"status":["sold"]}`, `{"name":%n,"categoryId":%c,"status":"available,sold"}`,
	}},
	{breaks: "CREATE-11", quick: []Body{
		{Step: "nan-in-an-unnamed-member", Text: `{"name":%n,"categoryId":%c,"petconform":NaN}`},
		{Step: "text-behind", Text: `{"name":%n,"categoryId":%c} and more`},
		{Step: "array", Text: `[{"name":%n,"categoryId":%c}]`},
		{Step: "comment", Text: "{\"name\":%n,/* which? \xff */\"categoryId\":%c}"}, // an error message may quote it
		{Step: "comma-behind", Text: `{"name":%n,"categoryId":%c,}`},
		{Step: "cut-off", Text: `{"name":%n,"categoryId":%c`},
		{Step: "encoded-twice", Text: `"{\"name\":\"Rex\",\"categoryId\":%c}"`},
		{Step: "null", Text: `null`},
		{Step: "empty", Text: ``, Header: http.Header{"Content-Type": {"application/json"}}},
		{Step: "form", Text: `name=Rex&categoryId=%c`, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}},
	}, full: []Body{
		{Step: "bare-point", Text: `{"name":%n,"categoryId":1.}`},
		{Step: "single-quotes", Text: `{"name":'petconform',"categoryId":%c}`},
		{Step: "plus", Text: `{"name":%n,"categoryId":+1}`},
		{Step: "leading-zero", Text: `{"name":%n,"categoryId":01}`},
		{Step: "bare-member", Text: `{name:%n,"categoryId":%c}`},
		{Step: "second-object", Text: `{"name":%n,"categoryId":%c}{}`},
		{Step: "hexadecimal", Text: `{"name":%n,"categoryId":0x1}`},
		{Step: "bare-line-break", Text: "{\"name\":\"petconform\n\",\"categoryId\":%c}"},
		{Step: "tab", Text: "{\"name\":\"petconform\t\",\"categoryId\":%c}"},
		{Step: "byte-order-mark", Text: "\ufeff" + withSpaces(0)}, // without a name, since a parser may ignore the mark
	}, rare: []string{
		`{"name":%n,"categoryId":1.}`, `{"name":%n,"categoryId":.5}`, `{"name":%n,"categoryId":-}`,
		`{"name":%n,"categoryId":%c,"petconform":-Infinity}`, `{"name":%n,"categoryId":%c,"petconform":undefined}`,
		`{"name":%n,"categoryId":%c,}`, `{,"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":%c]`, `[[]]`, `0`,
		`-`, `""`,
	}, others: []string{
		`{"name":%n "categoryId":%c}`, `{'name':'x','categoryId':%c}`, `{"name":%n,"categoryId":%c} // end`,
		`{"name":%n,"categoryId":Infinity}`, `{"name":%n,"categoryId":None}`,
		"{\"name\":\"line\nbreak\",\"categoryId\":%c}", `[]`, `"name"`, `7`, `true`, ` `, `name=Rex&categoryId=%c`,
	}},
}

// Bodies returns the bodies that break a requirement where a service accepts them: those that every run sends, and those
// that only a full run sends.
func Bodies(breaks spec.ID) (quick, full []Body) {
	for _, b := range bodies {
		if b.breaks == breaks {
			quick, full = b.quick, slices.Clone(b.full)
			for i, text := range slices.Concat(b.rare, b.others) {
				full = append(full, Body{Step: fmt.Sprintf("more-%d", i+1), Text: text})
			}
		}
	}
	return quick, full
}
