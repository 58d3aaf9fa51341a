package freedoms

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

const white = `[\s\v\p{Z}\x{85}]`

func nameRows(t *table) {
	t.part("empty names", "CREATE-17")
	t.refused("empty-names-refused", "An empty name", 400, Named(`^`+white+`*$`))
	t.refused("short-names-refused", "A name of less than 3 characters", 400, Named(`(?s)^.{0,2}$`))
	t.part("long names", "CREATE-17")
	t.refused("long-names-refused", "A name of more than 255 characters", 400, Named(`(?s)^.{256}`))
	t.refused("long-names-refused-422", "A name of more than 30 characters", 422, Named(`(?s)^.{31}`))
	t.refused("names-beyond-64-bytes-refused", "A name of more than 64 bytes", 400,
		OnCreate.And(func(c *Call) bool { return len(c.Draft.Name) > 64 }))
	t.refused("emoji-refused", "A name with a character beyond U+FFFF", 400, Named(BeyondPlane))
	t.refused("padded-names-refused", "A name with white space at its ends", 400, Named(`^`+white+`|`+white+`$`))
	t.part("control characters", "CREATE-17")
	t.refused("control-characters-refused", "A name with a control character", 400, Named(`\p{Cc}`))
	t.part("text that is not Unicode", "RFC 8259, section 8: what a parser makes of such text is unpredictable")
	t.variant("surrogates-replaced", "Half of a surrogate pair becomes a question mark.",
		Repair(func(body string) string { return LoneHalf.ReplaceAllString(body, "?$1") }))
	t.variant("bytes-replaced", "Bytes that are not UTF-8 become U+FFFD.",
		Repair(func(body string) string { return strings.ToValidUTF8(body, "\ufffd") }))
}

func createRows(t *table) {
	t.part("media type", "CREATE-19")
	t.variant("any-media-type", "A body is read as JSON, whatever its media type.",
		Before(func(c *Call) { c.Request.Header.Del("Content-Type") }))
	t.refused("media-type-required", "A body without a media type", 415, OnCreate.And(HeaderLike("Content-Type", "^$")))
	t.variant("media-type-refused-with-400", "A body of another media type is answered 400.",
		Always.Of(415).Then(WithStatus(400)))
	t.part("body size", "Limits, rule 6: a limit on request body size is not shown")
	t.variant("big-bodies-refused", "A body of more than 4 KiB is answered 413.",
		func(b *Behaviour) { b.MaxBody = 4 << 10 })
	t.part("byte order mark", "RFC 8259, section 8.1: a parser may ignore a byte order mark")
	t.variant("byte-order-mark-accepted", "A byte order mark before the body is ignored.",
		Body(func(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\ufeff")) }))
	t.part("categories", "PET-5")
	for _, status := range []int{400, 404, 409, 422} {
		t.refused(fmt.Sprint("categories-checked-", status), "Only categories 1 to 10 exist: another one", status,
			OnCreate.And(func(c *Call) bool { return c.Draft.CategoryID < 1 || c.Draft.CategoryID > 10 }))
	}
	t.part("unknown members", "CREATE-16")
	t.refused("unknown-members-refused", "A member that NewPet does not have", 400,
		OnCreate.And(func(c *Call) bool { return len(c.Draft.Extra) > 0 }))
	t.variant("unknown-members-kept", "Members that NewPet does not have are stored and shown.", keepExtra())
	t.part("null status", "CREATE-18")
	t.variant("null-status-accepted", "A status that is null counts as left out.", Sent(Without("status", "null")))
	t.part("default status", "CREATE-15")
	t.variant("default-status-available", "An animal that is created without a status is available.",
		Sent(Default("status", `"available"`)))
	t.part("numbers", "CREATE-20")
	t.variant("whole-numbers-in-any-form", "7.0 and 1e2 are read as 7 and 100.",
		Taken("categoryId", "0", wholeNumber))
	t.part("doubled members", "CREATE-20")
	t.variant("doubled-members-accepted", "If a member is given twice, the last one counts.", Sent(lastOfEach))
}

// keepExtra stores the members that NewPet does not have and shows them, except id, which a Pet has itself.
func keepExtra() Change {
	var stored sync.Map
	return Together(OnAdd(func(c *Call, pet spec.Pet) {
		stored.LoadOrStore(Whole(pet.ID), Without("id")(slices.Clone(c.Draft.Extra)))
	}), Shown.Edit(func(members []strictjson.Member) []strictjson.Member {
		extra, _ := stored.Load(members[0].Value.Text)
		own, _ := extra.([]strictjson.Member)
		return append(members, own...)
	}))
}

func lastOfEach(members []strictjson.Member) (last []strictjson.Member) {
	for i, m := range members {
		if !slices.ContainsFunc(members[i+1:], func(later strictjson.Member) bool { return later.Name == m.Name }) {
			last = append(last, m)
		}
	}
	return last
}

// wholeNumber writes a whole number without a fraction or an exponent, where a float64 has all of it.
func wholeNumber(value string) string {
	if f, err := strconv.ParseFloat(value, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return value
}
