package strictjson

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValues(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{` {"a" : [ 1 , -0.5e+3 , true , false , null , "x" ] , "b" : { } } `, `{"a":[1,-0.5e+3,true,false,null,"x"],"b":{}}`},
		{`"\u00e9\ud83d\udc15\/\"\\\b\f\n\r\t\u0000"`, `"é🐕/\"\\\b\f\n\r\t\u0000"`},
		{`9007199254740993`, `9007199254740993`},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`[]`, `[]`},
		{strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)},
	} {
		v, err := Parse([]byte(row.text))
		if got := string(Append(nil, v)); err != nil || got != row.want {
			t.Errorf("%s: want %s, got %s: %v", row.text, row.want, got, err)
		}
	}
}

func TestWhatIsNoJSON(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `the text ends before the value`,
		`"a`:                            `the text ends before the value`,
		`01`:                            `text after the value, at byte 2`,
		`{"a" 1}`:                       `invalid character '1' after object name (expecting ':') within "/a" after offset 5`,
		`"\udc00\ud800"`:                "invalid surrogate pair `\\udc00\\ud800` in string after offset 1",
		"\"\xff\"":                      `invalid UTF-8 after offset 1`,
		strings.Repeat("[", maxDepth+2): `nested deeper than 5000`,
		`{"a":1} x`:                     ` `,
		`{"a":1,}`:                      ` `, `{a:1}`: ` `, `[1 2]`: ` `, `[1,]`: ` `, `-`: ` `, `1.`: ` `, `+1`: ` `, `NaN`: ` `, `'a'`: ` `,
		`/**/1`: ` `, "\ufeff1": ` `, "\"a\nb\"": ` `, `"\x"`: ` `, `"\u12"`: ` `,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: want %s\ngot  %v", text, want, err)
		}
	}
}

func TestInt64(t *testing.T) {
	for _, row := range []struct {
		text string
		want int64
		err  string
	}{
		{"9223372036854775807", math.MaxInt64, ""},
		{"-9223372036854775808", math.MinInt64, ""},
		{"-0", 0, ""},
		{"9223372036854775808", 0, "is 9223372036854775808, which is beyond int64"},
		{"7.0", 0, "is 7.0, which has a fraction or an exponent"},
		{"1e2", 0, "is 1e2, which has a fraction or an exponent"},
		{`"7"`, 0, "is a string, not an int64"},
		{"null", 0, "is null, not an int64"},
		{"[7]", 0, "is an array, not an int64"},
		{strings.Repeat("9", 50), 0, "is " + strings.Repeat("9", 40) + "…, which is beyond int64"},
	} {
		v, err := Parse([]byte(row.text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Int64()
		if got != row.want || err == nil && row.err != "" || err != nil && err.Error() != row.err {
			t.Errorf("%s: want %d %s, got %d %v", row.text, row.want, row.err, got, err)
		}
	}
}

func TestMembers(t *testing.T) {
	v, err := Parse([]byte(`{"a":1,"A":2,"a":3}`))
	if err != nil {
		t.Fatal(err)
	}
	if a, given := v.Member("a"); a.Text != "1" || !given {
		t.Errorf("want the first member a, got %+v", a)
	}
	if _, given := v.Member("b"); given {
		t.Error("there is no member b")
	}
	if name, is := v.Doubled(); name != "a" || !is {
		t.Errorf("want the doubled member a, got %q", name)
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
			stricter := !utf8.Valid(data) || strings.Contains(string(data), `\u`) || strings.Count(string(data), "[")+strings.Count(string(data), "{") > maxDepth
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
		if v.Kind == String {
			var theirs string
			if err := json.Unmarshal(data, &theirs); err != nil || theirs != v.Text {
				t.Fatalf("%q reads as %q, and as %q elsewhere: %v", data, v.Text, theirs, err)
			}
		}
		if n, err := v.Int64(); err == nil {
			if want, errWant := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); errWant != nil || want != n {
				t.Fatalf("%q reads as the int64 %d", data, n)
			}
		}
	})
}
