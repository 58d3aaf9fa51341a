package deviations

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// firstValue returns the body up to the end of its first JSON value.
func firstValue(body []byte) []byte {
	var first json.RawMessage
	if json.NewDecoder(bytes.NewReader(body)).Decode(&first) != nil {
		return body
	}
	return first
}

// repaired replaces every match of a pattern in a body that is not JSON.
func repaired(pattern, by string) Change {
	re := regexp.MustCompile(pattern)
	return Repair(func(body []byte) []byte { return re.ReplaceAll(body, []byte(by)) })
}

// takenAnyway creates an animal from a body that is such a value.
func takenAnyway(pattern string) Change {
	return repaired(`(?s)^\s*`+pattern+`\s*$`, `{"name":"Unnamed","categoryId":1}`)
}

// refusedFor selects the bodies that are refused for one of those reasons.
func refusedFor(codes ...string) When { return OnCreate.And(Refusing(codes...)) }

func bodyRows(t *table) {
	t.fault("body-text-behind-ignored", "CREATE-11", Repair(firstValue))
	t.fault("body-comments-ignored", "CREATE-11", repaired(`(?s)/\*.*?\*/|//[^\n]*`, ""))
	t.fault("body-trailing-comma-ignored", "CREATE-11", repaired(`,(\s*[}\]])`, "$1"))
	t.fault("body-single-quotes-accepted", "CREATE-11 full", repaired(`'`, `"`))
	t.fault("body-nan-as-0", "CREATE-11", repaired(`(:\s*)(?:NaN|-?Infinity)`, "${1}0"))
	t.fault("body-leading-zeros-accepted", "CREATE-11 full", repaired(`(:\s*)[+0]+([1-9]\d*)`, "$1$2"))
	t.fault("body-hex-accepted", "CREATE-11 full", repaired(`(:\s*)0[xX][0-9a-fA-F]+`, "${1}7"))
	t.fault("body-unfinished-accepted", "CREATE-11", repaired(`$`, "}"))
	t.fault("body-array-of-one-accepted", "CREATE-11", repaired(`^\s*\[|\]\s*$`, ""))
	t.fault("body-null-accepted", "CREATE-11", takenAnyway(`null`))
	t.fault("body-text-accepted", "CREATE-11", takenAnyway(`".*"`))
	t.fault("body-empty-500", "CREATE-11 ERROR-7?", refusedFor("body_invalid").And(bodied(`^\s*$`)).Then(WithStatus(500)))
	t.fault("body-null-500", "CREATE-11 ERROR-7?", refusedFor("body_invalid").And(bodied("^null$")).Then(WithStatus(500)))
	t.fault("body-not-utf-8-fails", "CREATE-11 ERROR-1 ERROR-7?",
		fails(gateway(func(c *Call) bool { return !utf8.Valid(c.Body) })))
	t.fault("surrogate-fails", "CREATE-7 ERROR-1 CREATE-10? CREATE-11? ERROR-7?", fails(gateway(bodied(LoneHalf.String()))))
	t.fault("body-of-1-mb-fails", "CREATE-6 ERROR-1 ERROR-7? full", fails(gateway(larger(900<<10))))
}

// takenAs accepts required members under other names.
func takenAs(like func(wanted, name string) bool) Change {
	as := func(wanted string) Edit {
		return Renamed(func(name string) bool { return like(wanted, name) }, wanted)
	}
	return Sent(as("name"), as("categoryId"))
}

// realAs takes numbers that are not int64 by a rule for float64. 7.0 and 1e2 stay refused: they are open.
func realAs(rule func(float64) (int64, bool)) func(v strictjson.Value) string {
	return func(v strictjson.Value) string {
		f, err := strconv.ParseFloat(v.Text, 64)
		if n, ok := rule(f); ok && err == nil && (f != math.Trunc(f) || math.Abs(f) >= 1<<53) {
			return Whole(n)
		}
		return ""
	}
}

func fractionCut(f float64) (int64, bool) { return int64(f), math.Abs(f) < 1<<53 }

func overflowLargest(f float64) (int64, bool) {
	if f < 0 {
		return math.MinInt64, f < -1<<63
	}
	return math.MaxInt64, f >= 1<<63
}

// What is made of a value that would be refused: JSON that is always the same, its text, a status.

func as(result string) func(strictjson.Value) string {
	return func(strictjson.Value) string { return result }
}

func asText(v strictjson.Value) string { return Quoted(v.Text) }

func firstText(v strictjson.Value) string {
	if len(v.Elements) == 0 {
		return `""`
	}
	return Quoted(v.Elements[0].Text)
}

func lengthOf(v strictjson.Value) string { return strconv.Itoa(len(v.Elements)) }

func numberIn(v strictjson.Value) string {
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return Whole(n)
	}
	return ""
}

func statusOfNumber(v strictjson.Value) string {
	if n, err := v.Int64(); err == nil {
		return Quoted(string(spec.Statuses()[uint64(n)%3]))
	}
	return ""
}

// textLike takes a value whose text is that, and statusAfter one whose text is a status after a change.
func textLike(text, result string) func(v strictjson.Value) string {
	return func(v strictjson.Value) string {
		if v.Text == text {
			return result
		}
		return ""
	}
}

func statusAfter(change func(string) string) func(v strictjson.Value) string {
	return func(v strictjson.Value) string {
		if s := change(v.Text); spec.PetStatus(s).Valid() {
			return Quoted(s)
		}
		return ""
	}
}

// elsewise answers the faults of a body with 422 and with 500 in place of 400.
func (t *table) elsewise() {
	for _, r := range []struct{ name, code, broken string }{
		{"name-missing", "name_missing", "CREATE-6"}, {"category-missing", "category_id_missing", "CREATE-7"},
		{"name-type", "name_invalid", "CREATE-8"}, {"category-type", "category_id_invalid", "CREATE-9"},
		{"status-value", "status_invalid", "CREATE-10"},
		{"body", "body_invalid", "CREATE-11 CREATE-10?"}, // half of a surrogate pair as a status breaks both
	} {
		t.fault(r.name+"-422", r.broken, refusedFor(r.code).Then(WithStatus(422)))
		t.fault(r.name+"-500", r.broken+" ERROR-7?", refusedFor(r.code).Then(WithStatus(500)))
	}
}

const (
	anyMember                   = "CREATE-6 CREATE-7 CREATE-8 CREATE-9 CREATE-10"
	isNull, isBool, isNumber    = strictjson.Null, strictjson.Bool, strictjson.Number
	isString, isArray, isObject = strictjson.String, strictjson.Array, strictjson.Object
)

var invalid = refusedFor("name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid")

func memberRows(t *table) {
	t.elsewise()
	t.fault("invalid-422", anyMember, invalid.Then(WithStatus(422)))
	t.fault("invalid-200", anyMember, invalid.Then(WithStatus(200)))
	t.fault("name-not-required", "CREATE-6", Sent(Default("name", `""`)))
	t.fault("name-also-title", "CREATE-6", takenAs(func(wanted, name string) bool {
		return wanted == "name" && slices.Contains([]string{"title", "Name", "NAME"}, name)
	}))
	t.fault("members-in-any-case", "CREATE-6 CREATE-7?", takenAs(strings.EqualFold))
	t.fault("members-trimmed", "CREATE-6 CREATE-7?",
		takenAs(func(wanted, name string) bool { return strings.TrimSpace(name) == wanted }))
	t.fault("members-cut-at-nul", "CREATE-6 CREATE-7?",
		takenAs(func(wanted, name string) bool { return strings.HasPrefix(name, wanted+"\x00") }))
	t.fault("category-not-required", "CREATE-7", Sent(Default("categoryId", "0")))

	t.fault("name-number-accepted", "CREATE-8", Taken("name", isNumber, asText))
	t.fault("name-boolean-accepted", "CREATE-8", Taken("name", isBool, asText))
	t.fault("name-null-accepted", "CREATE-8", Taken("name", isNull, as(`""`)))
	t.fault("name-object-accepted", "CREATE-8 full", Taken("name", isObject, as(`"[object Object]"`)))
	t.fault("name-array-accepted", "CREATE-8", Taken("name", isArray, firstText))
	t.fault("category-text-accepted", "CREATE-9", Taken("categoryId", isString, numberIn))
	t.fault("category-empty-text-accepted", "CREATE-9", Taken("categoryId", isString, textLike("", "0")))
	t.fault("category-boolean-accepted", "CREATE-9", Taken("categoryId", isBool, as("1")))
	t.fault("category-false-accepted", "CREATE-9 full", Taken("categoryId", isBool, textLike("false", "0")))
	t.fault("category-null-accepted", "CREATE-9", Taken("categoryId", isNull, as("0")))
	t.fault("category-object-accepted", "CREATE-9", Taken("categoryId", isObject, as("0")))
	t.fault("category-array-accepted", "CREATE-9", Taken("categoryId", isArray, lengthOf))
	t.fault("category-fraction-cut", "CREATE-9", Taken("categoryId", isNumber, realAs(fractionCut)))
	t.fault("category-overflow-largest", "CREATE-9", Taken("categoryId", isNumber, realAs(overflowLargest)))
	t.fault("status-any-accepted", "CREATE-10 PET-4?", refusedText.Then(storeRefused, func(c *Call, a *Answer) {
		*a = Answer{Status: 201, MediaType: MediaJSON, Body: PetJSON(c.Pet)}
	}))
	t.fault("status-empty-accepted", "CREATE-10", Sent(Without("status", `""`)))
	t.fault("status-unknown-as-available", "CREATE-10", Taken("status", isString, as(`"available"`)))
	t.fault("status-in-any-case", "CREATE-10", Taken("status", isString, statusAfter(strings.ToLower)))
	t.fault("status-trimmed", "CREATE-10", Taken("status", isString, statusAfter(strings.TrimSpace)))
	t.fault("status-line-break-accepted", "CREATE-10 full", Taken("status", isString, statusAfter(replacing("\n$", ""))))
	t.fault("status-number-accepted", "CREATE-10", Taken("status", isNumber, statusOfNumber))
	t.fault("status-boolean-accepted", "CREATE-10", Taken("status", isBool, as(`"available"`)))
	t.fault("status-false-accepted", "CREATE-10", Taken("status", isBool, textLike("false", `"available"`)))
	t.fault("status-array-accepted", "CREATE-10", Taken("status", isArray, as(`"available"`)))
}

// sentMember is a member of a body that may be refused.
func sentMember(c *Call, name string) strictjson.Value {
	object, _ := strictjson.Parse(firstValue(c.Body))
	v, _ := object.Member(name)
	return v
}

// storeRefused stores an animal of which a member is refused, with what can be read of the others.
func storeRefused(c *Call, _ *Answer) {
	p := spec.NewPet{Name: sentMember(c, "name").Text, CategoryID: c.Draft.CategoryID}
	if c.Refused.Code == "status_invalid" {
		p.Status = spec.PetStatus(sentMember(c, "status").Text)
	}
	defer c.Service.InTurn()()
	c.Pet = c.Service.Add(c, p)
}

// refusedText selects the bodies that are refused for a status which is a string.
var refusedText = refusedFor("status_invalid").And(func(c *Call) bool { return sentMember(c, "status").Kind == isString })
