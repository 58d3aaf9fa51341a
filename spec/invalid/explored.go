package invalid

import (
	"slices"
	"strings"

	"petconform/spec"
)

// generated are bodies that a service must refuse with 400, by the requirement that it breaks where it accepts one, as sequences of
// requests and full runs send them.
var generated = map[spec.ID]struct{ rare, others []string }{
	"CREATE-6": {rare: []string{
		`{"name\u0000":%n,"categoryId":%c}`, `{"name ":%n,"categoryId":%c}`, `{"Name":%n,"categoryId":%c}`,
	}, others: []string{
		`{"categoryId":%c,"status":"available"}`, `{"NAME":%n,"categoryId":%c}`,
		`{"pet":{"name":%n,"categoryId":%c}}`,
	}},
	"CREATE-7": {rare: []string{
		`{"name":%n,"categoryId\u0000":%c}`, `{"name":%n,"category_id":%c}`, `{"name":%n,"category":%c}`,
		`{"name":%n,"status":"\ud83d."}`,
	}, others: []string{
		`{"name":%n,"status":"sold"}`, `{"name":%n,"categoryid":%c}`, `{"name":%n}`,
	}},
	"CREATE-8": {rare: []string{
		`{"name":[],"categoryId":%c}`, `{"name":{},"categoryId":%c}`, `{"name":0,"categoryId":%c}`,
	}, others: []string{
		`{"name":{"en":%n},"categoryId":%c}`,
	}},
	"CREATE-9": {rare: []string{
		`{"name":%n,"categoryId":1e400}`, `{"name":%n,"categoryId":-1e400}`, `{"name":%n,"categoryId":[]}`,
		`{"name":%n,"categoryId":0.1}`,
	}, others: []string{
		`{"name":%n,"categoryId":18446744073709551616}`,
	}},
	"CREATE-10": {rare: []string{
		`{"name":%n,"categoryId":%c,"status":{}}`, `{"name":%n,"categoryId":%c,"status":[]}`,
		`{"name":%n,"categoryId":%c,"status":false}`, `{"name":%n,"categoryId":%c,"status":"sold\u0000"}`,
		`{"name":%n,"categoryId":%c,"status":"avail"}`, `{"name":%n,"categoryId":%c,"status":"\ud83d."}`,
	}, others: []string{
		`{"name":%n,"categoryId":%c,"status":"Sold"}`, `{"name":%n,"categoryId":%c,"status":" available"}`,
		`{"name":%n,"categoryId":%c,"status":["sold"]}`, `{"name":%n,"categoryId":%c,"status":"available,sold"}`,
	}},
	"CREATE-11": {rare: []string{
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

// Broken is a body with the requirement that a service breaks if it accepts it.
type Broken struct {
	Breaks spec.ID
	Text   string
}

// Generated returns the bodies of generated requests that a service must refuse with 400, the rare ones first.
func Generated() (all []Broken, rare int) {
	var others []Broken
	for _, b := range bodies {
		for _, text := range generated[b.breaks].rare {
			all = append(all, Broken{b.breaks, text})
		}
		for _, text := range generated[b.breaks].others {
			others = append(others, Broken{b.breaks, text})
		}
		for _, v := range slices.Concat(b.always, b.varied, b.deep) {
			others = append(others, Broken{b.breaks, v.Text})
		}
	}
	others = slices.DeleteFunc(others, func(b Broken) bool { return len(b.Text) > LargeBody || slices.Contains(all, b) })
	return append(all, others...), len(all)
}

// UnknownIDs are int64s that few services assign: the positions of a list's beginning and, in Python, its end, and the bounds of
// the integers that services may store: 404. 1 is not among them: a store may have that animal and show it in no page.
var UnknownIDs = []string{
	"0", "-1", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808",
	"-2147483649",
}

// NoInt64 are petIds that are not int64s, escaped for a path: 400 or 404.
var NoInt64 = []string{
	"h%C3%BCndin", strings.Repeat("9", 300), "1.5", "abc", "1e0", "9223372036854775808", "-9223372036854775809", "18446744073709551617", "%20", "null", "1,2",
	"0x1", "NaN", "%E2%91%A0", "%zz", "%FF",
}
