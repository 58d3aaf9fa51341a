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

// refusedAs refuses bodies that are wrong for one of those reasons with another status than 400.
func refusedAs(status int, codes ...string) Change {
	return On(spec.CreatePet).And(Refusing(codes...)).Then(WithStatus(status))
}

var bodyRows = []Deviation{
	fault("body-text-behind-ignored", "CREATE-11", Repair(firstValue)),
	fault("body-comments-ignored", "CREATE-11", repaired(`(?s)/\*.*?\*/|//[^\n]*`, "")),
	fault("body-trailing-comma-ignored", "CREATE-11", repaired(`,(\s*[}\]])`, "$1")),
	fault("body-single-quotes-accepted", "CREATE-11 full", repaired(`'`, `"`)),
	fault("body-nan-as-0", "CREATE-11", repaired(`(:\s*)(?:NaN|-?Infinity)`, "${1}0")),
	fault("body-leading-zeros-accepted", "CREATE-11 full", repaired(`(:\s*)[+0]+([1-9]\d*)`, "$1$2")),
	fault("body-hex-accepted", "CREATE-11 full", repaired(`(:\s*)0[xX][0-9a-fA-F]+`, "${1}7")),
	fault("body-unfinished-accepted", "CREATE-11", repaired(`$`, "}")),
	fault("body-array-of-one-accepted", "CREATE-11", repaired(`^\s*\[|\]\s*$`, "")),
	fault("body-null-accepted", "CREATE-11", takenAnyway(`null`)),
	fault("body-text-accepted", "CREATE-11", takenAnyway(`".*"`)),
	fault("body-empty-500", "CREATE-11 ERROR-7?",
		On(spec.CreatePet).And(Refusing("body_invalid")).If(bodied(`^\s*$`)).Then(WithStatus(500))),
	fault("body-null-500", "CREATE-11 ERROR-7?",
		On(spec.CreatePet).And(Refusing("body_invalid")).If(bodied("^null$")).Then(WithStatus(500))),
	fault("body-not-utf-8-fails", "CREATE-11 ERROR-1 ERROR-7?",
		failOn(func(body []byte) bool { return !utf8.Valid(body) })),
	fault("surrogate-fails", "CREATE-7 ERROR-1 CREATE-10? CREATE-11? ERROR-7?", failOn(LoneHalf.Match)),
	fault("body-of-1-mb-fails", "CREATE-6 ERROR-1 ERROR-7? full", gateway(larger(900<<10), Answering(500), page)),
}

// takenAs accepts required members under other names.
func takenAs(like func(wanted, name string) bool) Change {
	as := func(wanted string) Edit {
		return Renamed(func(name string) bool { return like(wanted, name) }, wanted)
	}
	return Sent(Edits(as("name"), as("categoryId")))
}

// realAs takes numbers that are not int64 by a rule for float64. 7.0 and 1e2 stay refused: they are open.
func realAs(rule func(float64) (int64, bool)) Change {
	return Taken("categoryId", func(v strictjson.Value) string {
		f, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != strictjson.Number || err != nil || f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return ""
		}
		if n, ok := rule(f); ok {
			return Whole(n)
		}
		return ""
	})
}

// taken accepts the values of a member that are of a kind and match a pattern, as the same JSON; $0 is the value's
// text.
func taken(member string, k strictjson.Kind, pattern, as string) Change {
	re := regexp.MustCompile(`(?s)^(?:` + pattern + `)$`)
	return Taken(member, func(v strictjson.Value) string {
		if v.Kind != k || !re.MatchString(v.Text) {
			return ""
		}
		if as == "$0" {
			return Quoted(v.Text)
		}
		return as
	})
}

// statusText takes a string as a status after a change of its text.
func statusText(change func(string) string) Change {
	return Taken("status", func(v strictjson.Value) string {
		if s := change(v.Text); v.Kind == strictjson.String && spec.PetStatus(s).Valid() {
			return Quoted(s)
		}
		return ""
	})
}

// elsewiseRows answer the faults of a body with 422 and with 500 in place of 400.
func elsewiseRows() (rows []Deviation) {
	for _, r := range []struct{ name, code, broken string }{
		{"name-missing", "name_missing", "CREATE-6"}, {"category-missing", "category_id_missing", "CREATE-7"},
		{"name-type", "name_invalid", "CREATE-8"}, {"category-type", "category_id_invalid", "CREATE-9"},
		{"status-value", "status_invalid", "CREATE-10"},
		{"body", "body_invalid", "CREATE-11 CREATE-10?"}, // half of a surrogate pair as a status breaks both
	} {
		rows = append(rows, fault(r.name+"-422", r.broken, refusedAs(422, r.code)),
			fault(r.name+"-500", r.broken+" ERROR-7?", refusedAs(500, r.code)))
	}
	return rows
}

var memberCodes = []string{
	"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid",
}

const (
	isNull, isBool, isNumber    = strictjson.Null, strictjson.Bool, strictjson.Number
	isString, isArray, isObject = strictjson.String, strictjson.Array, strictjson.Object
)

var memberRows = append(elsewiseRows(),
	fault("invalid-422", "CREATE-6 CREATE-7 CREATE-8 CREATE-9 CREATE-10", refusedAs(422, memberCodes...)),
	fault("invalid-200", "CREATE-6 CREATE-7 CREATE-8 CREATE-9 CREATE-10", refusedAs(200, memberCodes...)),
	fault("name-not-required", "CREATE-6", Sent(Default("name", `""`))),
	fault("name-also-title", "CREATE-6", takenAs(func(wanted, name string) bool {
		return wanted == "name" && slices.Contains([]string{"title", "Name", "NAME"}, name)
	})),
	fault("members-in-any-case", "CREATE-6 CREATE-7?", takenAs(strings.EqualFold)),
	fault("members-trimmed", "CREATE-6 CREATE-7?",
		takenAs(func(wanted, name string) bool { return strings.TrimSpace(name) == wanted })),
	fault("members-cut-at-nul", "CREATE-6 CREATE-7?",
		takenAs(func(wanted, name string) bool { return strings.HasPrefix(name, wanted+"\x00") })),
	fault("category-not-required", "CREATE-7", Sent(Default("categoryId", "0"))),

	fault("name-number-accepted", "CREATE-8", taken("name", isNumber, ".*", "$0")),
	fault("name-boolean-accepted", "CREATE-8", taken("name", isBool, ".*", "$0")),
	fault("name-null-accepted", "CREATE-8", taken("name", isNull, ".*", `""`)),
	fault("name-object-accepted", "CREATE-8 full", taken("name", isObject, ".*", `"[object Object]"`)),
	fault("name-array-accepted", "CREATE-8", Taken("name", func(v strictjson.Value) string {
		switch {
		case v.Kind != strictjson.Array:
			return ""
		case len(v.Elements) == 0:
			return `""`
		}
		return Quoted(v.Elements[0].Text)
	})),
	fault("category-text-accepted", "CREATE-9", Taken("categoryId", func(v strictjson.Value) string {
		if n, err := strconv.ParseInt(v.Text, 10, 64); v.Kind == strictjson.String && err == nil {
			return Whole(n)
		}
		return ""
	})),
	fault("category-empty-text-accepted", "CREATE-9", taken("categoryId", isString, "", "0")),
	fault("category-boolean-accepted", "CREATE-9", taken("categoryId", isBool, ".*", "1")),
	fault("category-false-accepted", "CREATE-9 full", taken("categoryId", isBool, "false", "0")),
	fault("category-null-accepted", "CREATE-9", taken("categoryId", isNull, ".*", "0")),
	fault("category-object-accepted", "CREATE-9", taken("categoryId", isObject, ".*", "0")),
	fault("category-array-accepted", "CREATE-9", Taken("categoryId", func(v strictjson.Value) string {
		if v.Kind != strictjson.Array {
			return ""
		}
		return strconv.Itoa(len(v.Elements))
	})),
	fault("category-fraction-cut", "CREATE-9",
		realAs(func(f float64) (int64, bool) { return int64(f), math.Abs(f) < 1<<53 })),
	fault("category-overflow-largest", "CREATE-9", realAs(func(f float64) (int64, bool) {
		if f < 0 {
			return math.MinInt64, f < -1<<63
		}
		return math.MaxInt64, f >= 1<<63
	})),
	fault("status-any-accepted", "CREATE-10 PET-4?", refusedText.Then(storeRefused, func(c *Call, a *Answer) {
		*a = Answer{Status: 201, MediaType: MediaJSON, Body: PetJSON(c.Pet)}
	})),
	fault("status-empty-accepted", "CREATE-10", Sent(func(fields []Field) []Field {
		return slices.DeleteFunc(fields, func(f Field) bool { return f == Field{Name: "status", Value: `""`} })
	})),
	fault("status-unknown-as-available", "CREATE-10", taken("status", isString, ".*", `"available"`)),
	fault("status-in-any-case", "CREATE-10", statusText(strings.ToLower)),
	fault("status-trimmed", "CREATE-10", statusText(strings.TrimSpace)),
	fault("status-line-break-accepted", "CREATE-10 full",
		statusText(func(s string) string { return strings.TrimSuffix(s, "\n") })),
	fault("status-number-accepted", "CREATE-10", Taken("status", func(v strictjson.Value) string {
		if n, err := v.Int64(); err == nil {
			return Quoted(string(spec.Statuses()[uint64(n)%3]))
		}
		return ""
	})),
	fault("status-boolean-accepted", "CREATE-10", taken("status", isBool, ".*", `"available"`)),
	fault("status-false-accepted", "CREATE-10", taken("status", isBool, "false", `"available"`)),
	fault("status-array-accepted", "CREATE-10", taken("status", isArray, ".*", `"available"`)),
)
