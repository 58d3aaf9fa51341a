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
		{`"\u00e9\ud83d\udc15\/\"\\\b\f\n\r\t\u0000"`, `"é🐕/\"\\\u0008\u000c\n\r\t\u0000"`},
		{`9007199254740993`, `9007199254740993`},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`[]`, `[]`},
		{strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)},
	} {
		v, err := Parse([]byte(row.text))
		if got := string(Append(nil, v)); err != nil || got != row.want {
			t.Errorf("%s: wanted %s, came %s: %v", row.text, row.want, got, err)
		}
	}
}

func TestWhatIsNoJSON(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{``, `a value was wanted, the text ends at byte 0`},
		{`{"a":1} x`, `the end of the text was wanted, 'x' came at byte 8`},
		{`{"a":1,}`, `a member's name was wanted, '}' came at byte 7`},
		{`{a:1}`, `a member's name was wanted, 'a' came at byte 1`},
		{`{"a" 1}`, `a colon was wanted, '1' came at byte 5`},
		{`[1 2]`, `a comma or the end of the array was wanted, '2' came at byte 3`},
		{`{"a":1 "b":2}`, `a comma or the end of the object was wanted, '"' came at byte 7`},
		{`[1,]`, `a value was wanted, ']' came at byte 3`},
		{`01`, `the end of the text was wanted, '1' came at byte 1`},
		{`-`, `a digit was wanted, the text ends at byte 1`},
		{`1.`, `a digit was wanted, the text ends at byte 2`},
		{`1e`, `a digit was wanted, the text ends at byte 2`},
		{`+1`, `a value was wanted, '+' came at byte 0`},
		{`NaN`, `a value was wanted, 'N' came at byte 0`},
		{`nul`, `null was wanted, the text ends at byte 3`},
		{`'a'`, `a value was wanted, '\'' came at byte 0`},
		{`/**/1`, `a value was wanted, '/' came at byte 0`},
		{"\ufeff1", `a value was wanted, 'ï' came at byte 0`},
		{`"a`, `the end of the string was wanted, the text ends at byte 2`},
		{"\"a\nb\"", `a control character has to be escaped, '\n' came at byte 2`},
		{"\"\\t\n\"", `a control character has to be escaped, '\n' came at byte 3`},
		{`"\x"`, `an escape was wanted after the backslash, 'x' came at byte 2`},
		{`"\u12"`, `four hexadecimal digits were wanted, '1' came at byte 3`},
		{`"\u+123"`, `four hexadecimal digits were wanted, '+' came at byte 3`},
		{`"\ud800"`, `a surrogate pair was wanted, '"' came at byte 7`},
		{`"\udc00\ud800"`, `a surrogate pair was wanted, '"' came at byte 13`},
		{"\"\xff\"", `UTF-8 was wanted in the string that ends here, '"' came at byte 2`},
		{"\"\\n\xff\"", `UTF-8 was wanted in the string that ends here, '"' came at byte 4`},
		{strings.Repeat("[", MaxDepth+2), `at most 64 levels of nesting were wanted, '[' came at byte 65`},
	} {
		if _, err := Parse([]byte(row.text)); err == nil || err.Error() != row.want {
			t.Errorf("%.80q: wanted %s\ncame   %v", row.text, row.want, err)
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
		{"7.0", 0, "is 7.0, which is not written as a whole number"},
		{"1e2", 0, "is 1e2, which is not written as a whole number"},
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
			t.Errorf("%s: wanted %d %s, came %d %v", row.text, row.want, row.err, got, err)
		}
	}
}

func TestMembers(t *testing.T) {
	v, err := Parse([]byte(`{"a":1,"A":2,"a":3}`))
	if err != nil {
		t.Fatal(err)
	}
	if a, given := v.Member("a"); a.Text != "1" || !given {
		t.Errorf("the first member a was wanted, %+v came", a)
	}
	if _, given := v.Member("b"); given {
		t.Error("there is no member b")
	}
	if name, is := v.Doubled(); name != "a" || !is {
		t.Errorf("a is doubled, %q came", name)
	}
}

// FuzzParse compares with encoding/json, which is laxer in three things: bytes that are no UTF-8, halves of surrogate
// pairs, and depth.
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
			stricter := !utf8.Valid(data) || strings.Contains(string(data), `\u`) || strings.Count(string(data), "[")+strings.Count(string(data), "{") > MaxDepth
			if json.Valid(data) && !stricter {
				t.Fatalf("%q is JSON, but: %v", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is no JSON, but was read", data)
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
