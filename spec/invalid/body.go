package invalid

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
)

// Body is a body of createPet with one fault. %n stands for a name that no other request has, as a JSON string, and %c for
// a category that exists. Step names the fault in the recording of a check. Header is what the request has besides: a
// media type other than application/json, or a transfer coding. Apart are bodies with one of the faults each, if it has
// several. First says that others are compared with it, so that it is sent before them.
type Body struct {
	Step, Text string
	Header     http.Header
	Apart      []Body
	First      bool
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

// in are bodies with values in place of the %v of a template. A value is written with its step, as in "zero=0", or alone.
func in(template, values string) (all []Body) {
	for _, v := range strings.Split(values, "; ") {
		step, value, named := strings.Cut(v, "=")
		if !named {
			step, value = "", v
		}
		all = append(all, Body{Step: step, Text: strings.Replace(template, "%v", value, 1)})
	}
	return all
}

// apart names bodies with one of the faults of another each.
func apart(of string, all []Body) []Body {
	for i := range all {
		all[i].Step = fmt.Sprintf("%s-%d", of, i+1)
	}
	return all
}

const (
	whole      = `%v`
	asName     = `{"name":%v,"categoryId":%c}`
	asCategory = `{"name":%n,"categoryId":%v}`
	asStatus   = `{"name":%n,"categoryId":%c,"status":%v}`
)

// bodies are those of the checks. The first one of a requirement is the one most likely to find a fault. Members have
// exact names: NAME is not name. 7.0 and 1e2 are left out: whether they are integers is open. One body may have several
// faults of the same kind: if it is accepted, the created animal shows which one was. A quick run sends those of quick,
// and a full run all. Those of more have numbers for their steps.
var bodies = []struct {
	breaks            spec.ID
	quick, full, more []Body
}{
	{breaks: "CREATE-6", quick: []Body{
		{Step: "name-in-other-forms", Text: `{"NAME":%n,"name\u0000":"petconform NUL"," name ":"petconform spaces",` +
			`"pet":{"name":"petconform wrapped","categoryId":%c},"categoryId":%c}`,
			Apart: apart("name-in-other-forms", in(`{%v,"categoryId":%c}`,
				`"NAME":%n; "name\u0000":%n; " name ":%n; "pet":{"name":%n,"categoryId":%c}`))},
		{Step: "130-kB", Text: withSpaces(longBody)},
		{Step: "empty-object", Text: `{}`},
	}, full: []Body{ // each lacks a name, so that a service which reads it creates nothing
		{Step: "1-MB", Text: withSpaces(longestBody)},
		{Step: "chunked", Text: withSpaces(0), Header: http.Header{"Transfer-Encoding": {"chunked"}}},
	}, more: slices.Concat(in(`{%v,"categoryId":%c}`, `"name\u0000":%n; "name ":%n; "Name":%n`),
		in(`{%v}`, `"categoryId":%c,"status":"available"; "NAME":%n,"categoryId":%c; "pet":{"name":%n,"categoryId":%c}`))},
	{breaks: "CREATE-7", quick: []Body{
		{Step: "category-in-other-forms", Text: `{"name":%n,"categoryid":%c,"category_id":%c,"CategoryId":%c,"category":{"id":%c}}`,
			Apart: apart("category-in-other-forms", in(`{"name":%n,%v}`,
				`"categoryid":%c; "category_id":%c; "CategoryId":%c; "category":{"id":%c}`))},
		{Step: "lone-surrogate", Text: `{"name":%n,"status":"available","petconform":"\ud83d."}`},
	}, more: append(in(`{"name":%n,%v}`, `"categoryId\u0000":%c; "category_id":%c; "category":%c; "status":"\ud83d."; `+
		`"status":"sold"; "categoryid":%c`), Body{Text: `{"name":%n}`})},
	{breaks: "CREATE-8",
		quick: in(asName, `null=null; number=42; array=[%n]; true=true`),
		full:  in(asName, `object={"first":%n}; false=false; zero=0; empty-array=[]`),
		more:  in(asName, `[]; {}; 0; {"en":%n}`)},
	{breaks: "CREATE-9",
		quick: in(asCategory, `string="%c"; fraction=%c.5; null=null; beyond-int64=9223372036854775808; `+
			`boolean=true; array=[%c]; infinity=1e400; empty-string=""; object={"id":%c}`),
		full: in(asCategory, `far-beyond-int64=1e30; false=false; tiny-fraction=1e-3; below-int64=-9223372036854775809; `+
			`empty-array=[]; minus-infinity=-1e400; empty-object={}`),
		more: in(asCategory, `1e400; -1e400; []; 0.1; 18446744073709551616`)},
	{breaks: "CREATE-10",
		// Every object of JavaScript has a constructor, an enumeration of C# has 0, true equals any status in PHP, and an
		// error message may quote what is not ASCII.
		quick: in(asStatus, `unheard-of="constructor"; false=false; in-capitals="AVAILABLE"; empty=""; with-a-space="available "; `+
			`zero=0; array=["available"]; true=true`),
		full: in(asStatus, `object={}; with-nul="available\u0000"; beginning="avail"; surrogate="\ud83d."; `+
			`line-break="available\n"; adopted="adopted"; not-ascii="verf\u00fcgbar"; one=1`),
		more: in(asStatus, `{}; []; false; "sold\u0000"; "avail"; "\ud83d."; "Sold"; " available"; ["sold"]; "available,sold"`)},
	{breaks: "CREATE-11", quick: []Body{
		{Step: "nan-in-an-unnamed-member", Text: `{"name":%n,"categoryId":%c,"petconform":NaN}`},
		{Step: "text-behind", Text: "{\"name\":%n,\"categoryId\":%c} and \xff more"}, // an error message may quote it
		{Step: "array", Text: `[{"name":%n,"categoryId":%c}]`},
		{Step: "comment", Text: `{"name":%n,/* which? */"categoryId":%c}`},
		{Step: "comma-behind", Text: `{"name":%n,"categoryId":%c,}`},
		{Step: "cut-off", Text: `{"name":%n,"categoryId":%c`, First: true},
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
	}, more: slices.Concat(in(asCategory, `1.; .5; -; %c,"petconform":-Infinity; %c,"petconform":undefined; %c,`),
		in(whole, `{,"name":%n,"categoryId":%c}; {"name":%n,"categoryId":%c]; [[]]; 0; -; ""`),
		in(whole, `{"name":%n "categoryId":%c}; {'name':'x','categoryId':%c}; {"name":%n,"categoryId":%c} // end`),
		in(asCategory, `Infinity; None`), []Body{{Text: "{\"name\":\"line\nbreak\",\"categoryId\":%c}"}},
		in(whole, `[]; "name"; 7; true`), []Body{{Text: " "}, {Text: `name=Rex&categoryId=%c`}})},
}

// Bodies returns the bodies that break a requirement where a service accepts them: those that every run sends, and those
// that only a full run sends.
func Bodies(breaks spec.ID) (quick, full []Body) {
	for _, b := range bodies {
		if b.breaks == breaks {
			quick, full = b.quick, slices.Clone(b.full)
			for i, more := range b.more {
				more.Step = fmt.Sprintf("more-%d", i+1)
				full = append(full, more)
			}
		}
	}
	return quick, full
}
