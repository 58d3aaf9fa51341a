package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostNested is how deep jsontext reads.
const mostNested = 10_000

func TestValues(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{` {"a" : [ 1 , -0.5e+3 , true , false , null , "x" ] , "b" : { } } `, `{"a":[1,-0.5e+3,true,false,null,"x"],"b":{}}`},
		{`"\u00e9\ud83d\udc15\/\"\\\b\f\n\r\t\u0000"`, `"é🐕/\"\\\b\f\n\r\t\u0000"`},
		{`9007199254740993`, `9007199254740993`},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`[]`, `[]`},
	} {
		v, err := Parse([]byte(row.text))
		if got := string(Append(nil, v)); err != nil || got != row.want {
			t.Errorf("%s: want %s, got %s: %v", row.text, row.want, got, err)
		}
	}
}

func TestWhatIsNoJSON(t *testing.T) {
	for text, want := range map[string]string{
		``:                                `the text ends before the value`,
		`"a`:                              `the text ends before the value`,
		`01`:                              `text after the value, at byte 2`,
		`{"a" 1}`:                         `invalid character '1' after object name (expecting ':') within "/a" after offset 5`,
		`"\udc00\ud800"`:                  "invalid surrogate pair `\\udc00\\ud800` in string after offset 1",
		"\"\xff\"":                        `invalid UTF-8 after offset 1`,
		strings.Repeat("[", mostNested+2): `max depth`,
		`{"a":1} x`:                       ` `,
		`{"a":1,}`:                        ` `, `{a:1}`: ` `, `[1 2]`: ` `, `[1,]`: ` `, `-`: ` `, `1.`: ` `, `+1`: ` `, `NaN`: ` `, `'a'`: ` `,
		`/**/1`: ` `, "\ufeff1": ` `, "\"a\nb\"": ` `, `"\x"`: ` `, `"\u12"`: ` `,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: want %s\ngot  %v", text, want, err)
		}
	}
}

// FuzzParse compares Parse with encoding/json, which is more lenient in three things: bytes that are not UTF-8, halves of surrogate
// pairs, and nesting.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"name":"Zoë","categoryId":9007199254740993,"status":"sold"}`, `{"a":[1,-0.5e+3,true,null]}`, `"\ud83d\udc15"`, `"\ud800"`, "\"\xff\"",
		`{"a":1,"a":2}`, `01`, `[1,]`, "\ufeff{}", `{} {}`, strings.Repeat("[", 70), `"\u00E9\/"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			stricter := !utf8.Valid(data) || strings.Contains(string(data), `\u`) || strings.Count(string(data), "[")+strings.Count(string(data), "{") >= mostNested
			if json.Valid(data) && !stricter {
				t.Fatalf("%q is JSON, but: %v", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not JSON, but Parse accepts it", data)
		}
		written := Append(nil, v)
		again, err := Parse(written)
		if err != nil || string(Append(nil, again)) != string(written) {
			t.Fatalf("%q was written as %q, which reads as something else: %v", data, written, err)
		}
		if v.Kind == '"' {
			var theirs string
			if err := json.Unmarshal(data, &theirs); err != nil || theirs != v.Text {
				t.Fatalf("%q reads as %q, and as %q elsewhere: %v", data, v.Text, theirs, err)
			}
		}
	})
}
