package deviations

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// firstValue returns the body up to the end of its first JSON value.
func firstValue(body string) string {
	var first json.RawMessage
	if json.NewDecoder(strings.NewReader(body)).Decode(&first) != nil {
		return body
	}
	return string(first)
}

// repaired replaces every match of a pattern in a body that is not JSON.
func repaired(pattern, by string) Change { return Repair(replacing(pattern, by)) }

const unnamed = `{"name":"Unnamed","categoryId":1}`

// refusedFor selects the bodies that are refused for one of those reasons.
func refusedFor(codes ...string) When { return OnCreate.And(Refusing(codes...)) }

func bodyRows(t *table) {
	t.fault("body-text-behind-ignored", "CREATE-11", Repair(firstValue))
	t.fault("body-comments-ignored", "CREATE-11", repaired(`(?s)/\*.*?\*/|//[^\n]*`, ""))
	t.fault("body-trailing-comma-ignored", "CREATE-11", repaired(`,(\s*[}\]])`, "$1"))
	t.fault("body-nan-as-0", "CREATE-11", repaired(`(:\s*)(?:NaN|-?Infinity)`, "${1}0"))
	t.fault("body-array-of-one-accepted", "CREATE-11", repaired(`^\s*\[|\]\s*$`, ""))
	t.fault("body-null-accepted", "CREATE-11", repaired(`^\s*null\s*$`, unnamed))
	t.fault("body-not-utf-8-fails", "CREATE-11 ERROR-1 ERROR-7?",
		fails(gateway(func(c *Call) bool { return !utf8.Valid(c.Body) })))
	t.fault("surrogate-fails", "CREATE-7 ERROR-1 CREATE-10? CREATE-11? ERROR-7?",
		fails(gateway(Bodied(LoneHalf.String()))))
	t.fault("body-of-1-mb-fails", "CREATE-6 ERROR-1 ERROR-7? full", fails(gateway(larger(900<<10))))
}

// inAnyCase accepts a required member under its name in another case.
func inAnyCase(wanted string) Edit {
	return func(members []strictjson.Member) []strictjson.Member {
		exact := strictjson.Value{Members: members}.Member(wanted)
		i := slices.IndexFunc(members, func(m strictjson.Member) bool { return strings.EqualFold(m.Name, wanted) })
		if exact.Kind == 0 && i >= 0 {
			members[i].Name = wanted
		}
		return members
	}
}

const anyMember = "CREATE-6 CREATE-7 CREATE-8 CREATE-9 CREATE-10"

var invalid = refusedFor("name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid")

// The kinds of JSON that may be accepted in place of another one, by the characters with which they begin, and with
// their part of the name of a deviation.
const aNumber, aString, aBoolean = "0", `"`, "tf"

var kinds = map[string]string{
	"null": "n", "boolean": aBoolean, "number": aNumber, "text": aString, "array": "[", "object": "{",
}

// takenFor takes a value of each of those kinds as another one, which is JSON.
func (t *table) takenFor(name, broken, member, result string, of ...string) {
	for _, kind := range of {
		t.fault(name+"-"+kind+"-accepted", broken, Taken(member, kinds[kind], Constant(result)))
	}
}

func memberRows(t *table) {
	t.fault("body-422", "CREATE-11 CREATE-10?", refusedFor("body_invalid").Then(WithStatus(422)))
	t.fault("invalid-422", anyMember, invalid.Then(WithStatus(422)))
	t.fault("invalid-200", anyMember, invalid.Then(WithStatus(200)))
	t.fault("name-not-required", "CREATE-6", Sent(Default("name", `""`)))
	t.fault("category-not-required", "CREATE-7", Sent(Default("categoryId", "0")))
	t.fault("members-in-any-case", "CREATE-6 CREATE-7?", Sent(inAnyCase("name"), inAnyCase("categoryId")))

	t.takenFor("name", "CREATE-8", "name", `"Rex"`, "number", "boolean", "null", "array")
	t.takenFor("name", "CREATE-8 full", "name", `"Rex"`, "object")
	t.takenFor("category", "CREATE-9", "categoryId", "1", "text", "boolean", "null", "array")
	t.takenFor("status", "CREATE-10", "status", `"available"`, "number", "boolean", "array")
	t.fault("category-false-accepted", "CREATE-9 full", Taken("categoryId", aBoolean, Instead("false", "0")))
	t.fault("category-fraction-cut", "CREATE-9", Taken("categoryId", aNumber, replacing(`\..*`, "")))
	t.fault("category-overflow-largest", "CREATE-9",
		Taken("categoryId", aNumber, replacing(`^\d{19,}$`, Whole(math.MaxInt64))))
	t.fault("status-any-accepted", "CREATE-10 PET-4?", refusedText.Then(storeRefused, func(c *Call, a *Answer) {
		*a = Answer{Status: 201, MediaType: MediaJSON, Body: JSON(c.Pet)}
	}))
	t.fault("status-in-any-case", "CREATE-10", Taken("status", aString, Text(strings.ToLower)))
	t.fault("status-false-accepted", "CREATE-10", Taken("status", aBoolean, Instead("false", `"available"`)))
}

// storeRefused stores an animal of which a member is refused, with what can be read of the others.
func storeRefused(c *Call, _ *Answer) {
	defer c.Service.InTurn()()
	c.Pet = c.Service.Add(c, c.Draft.NewPet)
}

// refusedText selects the bodies that are refused for a status which is a string.
var refusedText = refusedFor("status_invalid").And(Bodied(`"status":"`))
