package invalid

// Explored are bodies of generated requests that a service must refuse with 400. The judge derives from a body which
// requirement an acceptance breaks.
var Explored = []string{
	`{"categoryId":%c,"status":"available"}`, `{"name":%n,"status":"sold"}`, `{}`, `{"NAME":%n,"categoryId":%c}`,
	`{"name":%n,"categoryid":%c}`, `{"pet":{"name":%n,"categoryId":%c}}`, `{"name":null,"categoryId":%c}`,
	`{"name":0,"categoryId":%c}`, `{"name":false,"categoryId":%c}`, `{"name":[%n],"categoryId":%c}`,
	`{"name":{"en":%n},"categoryId":%c}`, `{"name":%n,"categoryId":null}`, `{"name":%n,"categoryId":"%c"}`,
	`{"name":%n,"categoryId":""}`, `{"name":%n,"categoryId":%c.5}`, `{"name":%n,"categoryId":false}`,
	`{"name":%n,"categoryId":[%c]}`, `{"name":%n,"categoryId":{"id":%c}}`,
	`{"name":%n,"categoryId":9223372036854775808}`, `{"name":%n,"categoryId":-9223372036854775809}`,
	`{"name":%n,"categoryId":18446744073709551616}`, `{"name":%n,"categoryId":1e30}`, `{"name":%n,"categoryId":1e-3}`,
	`{"name":%n,"categoryId":%c,"status":"adopted"}`, `{"name":%n,"categoryId":%c,"status":"Sold"}`,
	`{"name":%n,"categoryId":%c,"status":""}`, `{"name":%n,"categoryId":%c,"status":" available"}`,
	`{"name":%n,"categoryId":%c,"status":0}`, `{"name":%n,"categoryId":%c,"status":true}`,
	`{"name":%n,"categoryId":%c,"status":["sold"]}`, `{"name":%n,"categoryId":%c,"status":{}}`,
	`{"name":%n,"categoryId":%c,"status":"available,sold"}`, `{"name":%n,"categoryId":%c`,
	`{"name":%n,"categoryId":%c,}`, `{"name":%n "categoryId":%c}`, `{name:%n,"categoryId":%c}`,
	`{'name':'x','categoryId':%c}`, `{"name":%n,"categoryId":%c}{}`, `{"name":%n,"categoryId":%c} // end`,
	`{"name":%n,"categoryId":+1}`, `{"name":%n,"categoryId":01}`, `{"name":%n,"categoryId":0x1}`,
	`{"name":%n,"categoryId":Infinity}`, `{"name":%n,"categoryId":None}`,
	"{\"name\":\"line\nbreak\",\"categoryId\":%c}", `[]`, `[{"name":%n,"categoryId":%c}]`, `"name"`, `7`, `true`,
	`null`, ``, ` `, `name=Rex&categoryId=%c`,
}

// Neighbours must be refused with 400 too. A standard run sends none or some of them, so the exploration deals them
// first.
var Neighbours = []string{
	`{"name":%n,"categoryId":1e400}`, `{"name":%n,"categoryId":-1e400}`, `{"name":%n,"categoryId":[]}`,
	`{"name":%n,"categoryId":0.1}`, `{"name":%n,"categoryId":1.}`, `{"name":%n,"categoryId":.5}`,
	`{"name":%n,"categoryId":-}`, `{"name":%n,"categoryId":%c,"petconform":-Infinity}`,
	`{"name":%n,"categoryId":%c,"petconform":undefined}`, `{"name":[],"categoryId":%c}`,
	`{"name":{},"categoryId":%c}`, `{"name":0,"categoryId":%c}`, `{"name\u0000":%n,"categoryId":%c}`,
	`{"name":%n,"categoryId\u0000":%c}`, `{"name ":%n,"categoryId":%c}`, `{"Name":%n,"categoryId":%c}`,
	`{"name":%n,"category_id":%c}`, `{"name":%n,"category":%c}`, `{"name":%n,"categoryId":%c,"status":{}}`,
	`{"name":%n,"categoryId":%c,"status":[]}`, `{"name":%n,"categoryId":%c,"status":false}`,
	`{"name":%n,"categoryId":%c,"status":"sold\u0000"}`, `{"name":%n,"categoryId":%c,"status":"avail"}`,
	`{"name":%n,"categoryId":%c,"status":"\ud83d."}`, `{"name":%n,"status":"\ud83d."}`,
	`{"name":%n,"categoryId":%c,}`, `{,"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":%c]`, `[[]]`, `0`, `-`,
	`""`,
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
