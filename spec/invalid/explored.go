package invalid

import (
	"slices"

	"petconform/spec"
)

// generated are bodies that a service must refuse with 400 and that no check sends, by the requirement that it breaks where it
// accepts one.
var generated = map[spec.ID][]string{
	"CREATE-6": {
		`{"name\u0000":%n,"categoryId":%c}`, `{"name ":%n,"categoryId":%c}`, `{"Name":%n,"categoryId":%c}`,
		`{"categoryId":%c,"status":"available"}`, `{"NAME":%n,"categoryId":%c}`,
		`{"pet":{"name":%n,"categoryId":%c}}`,
	},
	"CREATE-7": {
		`{"name":%n,"categoryId\u0000":%c}`, `{"name":%n,"category_id":%c}`, `{"name":%n,"category":%c}`,
		`{"name":%n,"status":"\ud83d."}`, `{"name":%n,"status":"sold"}`, `{"name":%n,"categoryid":%c}`, `{"name":%n}`,
	},
	"CREATE-8": {
		`{"name":{},"categoryId":%c}`, `{"name":{"en":%n},"categoryId":%c}`,
	},
	"CREATE-9": {
		`{"name":%n,"categoryId":0.1}`, `{"name":%n,"categoryId":18446744073709551616}`,
	},
	"CREATE-10": {
		`{"name":%n,"categoryId":%c,"status":[]}`, `{"name":%n,"categoryId":%c,"status":"sold\u0000"}`,
		`{"name":%n,"categoryId":%c,"status":"Sold"}`, `{"name":%n,"categoryId":%c,"status":" available"}`,
		`{"name":%n,"categoryId":%c,"status":["sold"]}`, `{"name":%n,"categoryId":%c,"status":"available,sold"}`,
	},
	"CREATE-11": {
		`{"name":%n,"categoryId":.5}`, `{"name":%n,"categoryId":-}`,
		`{"name":%n,"categoryId":%c,"petconform":-Infinity}`, `{"name":%n,"categoryId":%c,"petconform":undefined}`,
		`{,"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":%c]`, `[[]]`, `0`, `-`, `""`,
		`{"name":%n "categoryId":%c}`, `{'name':'x','categoryId':%c}`, `{"name":%n,"categoryId":%c} // end`,
		`{"name":%n,"categoryId":Infinity}`, `{"name":%n,"categoryId":None}`,
		"{\"name\":\"line\nbreak\",\"categoryId\":%c}", `[]`, `"name"`, `7`, `true`, ` `, `name=Rex&categoryId=%c`,
	},
}

// Broken is a body with the requirement that a service breaks if it accepts it.
type Broken struct {
	Breaks spec.ID
	Text   string
}

// Generated returns the bodies of generated requests that a service must refuse with 400: first those of which a standard run
// sends none or some.
func Generated() (all []Broken, rare int) {
	var always []Broken
	for _, b := range bodies {
		for _, text := range generated[b.breaks] {
			all = append(all, Broken{b.breaks, text})
		}
		for _, v := range b.varied {
			all = append(all, Broken{b.breaks, v.Text})
		}
		for _, v := range b.always {
			always = append(always, Broken{b.breaks, v.Text})
		}
	}
	always = slices.DeleteFunc(always, func(b Broken) bool { return len(b.Text) > LargeBody })
	return append(all, always...), len(all)
}

// UnknownIDs are int64s that few services assign, at the bounds of the integers that services may store: 404.
var UnknownIDs = []string{
	"0", "-1", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808",
	"-2147483649",
}

// NoInt64 are petIds that are not int64s, escaped for a path: 400 or 404.
var NoInt64 = []string{
	"abc", "1.5", "1e0", "9223372036854775808", "-9223372036854775809", "18446744073709551617", "%20", "null", "1,2",
	"0x1", "NaN", "%E2%91%A0",
}
