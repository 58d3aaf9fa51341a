package freedoms

import (
	"bytes"
	"math/big"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

func unknownCategory(c *Call) bool { return c.Draft.CategoryID < 1 || c.Draft.CategoryID > 10 }

func unknownMembers(c *Call) bool { return len(c.Draft.Extra) > 0 }

func longName(limit int) func(c *Call) bool {
	return NameHas(func(name string) bool { return utf8.RuneCountInString(name) > limit })
}

// defaultStatus gives a status to animals that are created without one.
func defaultStatus(to spec.PetStatus) Change {
	return Keep(func(p spec.NewPet) spec.NewPet {
		p.Status = Instead("", to)(p.Status)
		return p
	})
}

var createRows = slices.Concat(
	variants(open("PET-5"), part("categories"))(
		variant("categories-checked-400", "Only categories 1 to 10 exist; others are answered 400.",
			RefuseDraft(400, unknownCategory)),
		variant("categories-checked-404", "Only categories 1 to 10 exist; others are answered 404.",
			RefuseDraft(404, unknownCategory)),
		variant("categories-checked-409", "Only categories 1 to 10 exist; others are answered 409.",
			RefuseDraft(409, unknownCategory)),
		variant("categories-checked-422", "Only categories 1 to 10 exist; others are answered 422.",
			RefuseDraft(422, unknownCategory)),
	),
	variants(open("CREATE-17"), part("long names"))(
		variant("empty-names-refused", "An empty name is answered 400.",
			RefuseDraft(400, NameHas(func(name string) bool { return strings.TrimSpace(name) == "" })),
			part("empty names")),
		variant("short-names-refused", "A name of less than 3 characters is answered 400.",
			RefuseDraft(400, NameHas(func(name string) bool { return utf8.RuneCountInString(name) < 3 })),
			part("empty names")),
		variant("long-names-refused", "A name of more than 255 characters is answered 400.",
			RefuseDraft(400, longName(255))),
		variant("long-names-refused-422", "A name of more than 100 characters is answered 422.",
			RefuseDraft(422, longName(100))),
		variant("names-beyond-64-bytes-refused", "A name of more than 64 bytes is answered 400.",
			RefuseDraft(400, NameHas(func(name string) bool { return len(name) > 64 }))),
		variant("names-beyond-64-utf-16-units-refused", "A name of more than 64 UTF-16 code units is answered 422.",
			RefuseDraft(422, NameHas(func(name string) bool { return len(utf16.Encode([]rune(name))) > 64 }))),
		variant("control-characters-refused", "A name with a control character is answered 400.",
			RefuseDraft(400, NameHas(HasControls)), part("control characters")),
		variant("emoji-refused", "A name with a character beyond U+FFFF is answered 400.",
			RefuseDraft(400, NameHas(func(name string) bool { return strings.ContainsFunc(name, func(r rune) bool { return r > 0xffff }) }))),
		variant("padded-names-refused", "A name with white space at its ends is answered 400.",
			RefuseDraft(400, NameHas(func(name string) bool { return strings.TrimSpace(name) != name }))),
	),
	variants(open("RFC 8259, section 8: what a parser makes of text that is not Unicode is unpredictable"), part("text that is not Unicode"))(
		variant("surrogates-replaced", "Half of a surrogate pair becomes a question mark.",
			RepairPattern(LoneHalf, "?$1")),
		variant("bytes-replaced", "Bytes that are not UTF-8 become U+FFFD.",
			Repair(func(body []byte) []byte { return bytes.ToValidUTF8(body, []byte("\ufffd")) })),
	),
	variants(open("CREATE-16"), part("unknown members"))(
		variant("unknown-members-refused", "A member that NewPet does not have is answered 400.",
			RefuseDraft(400, unknownMembers)),
		variant("unknown-members-refused-422", "A member that NewPet does not have is answered 422.",
			RefuseDraft(422, unknownMembers)),
		variant("unknown-members-kept", "Members that NewPet does not have are stored and shown.", keepExtra),
	),
	variants(open("CREATE-15"), part("default status"))(
		variant("default-status-available", "An animal that is created without a status is available.",
			defaultStatus(spec.Available)),
		variant("default-status-pending", "An animal that is created without a status is pending.",
			defaultStatus(spec.Pending)),
	),
	variants()(
		variant("null-status-accepted", "A status that is null counts as left out.", func(b *Behaviour) {
			b.Status = Converted(b.Status, KindAs(strictjson.Null, spec.PetStatus("")))
		}, open("CREATE-18"), part("null status")),
		variant("whole-numbers-in-any-form", "7.0 and 1e2 are read as 7 and 100.",
			LaxCategory(wholeNumber), open("CREATE-20"), part("numbers")),
		variant("doubled-members-accepted", "If a member is given twice, the last one counts.", func(b *Behaviour) {
			b.Doubled = func(strictjson.Value) (string, bool) { return "", false }
			b.Member = func(object strictjson.Value, name string) (strictjson.Value, bool) {
				for _, m := range slices.Backward(object.Members) {
					if m.Name == name {
						return m.Value, true
					}
				}
				return strictjson.Value{}, false
			}
		}, open("CREATE-20"), part("doubled members")),
	),
)

// keepExtra stores the members that NewPet does not have and shows them, except id, which a Pet has itself.
func keepExtra(b *Behaviour) {
	var stored sync.Map
	b.OnAdd(func(c *Call, pet spec.Pet) {
		extra := slices.DeleteFunc(slices.Clone(c.Draft.Extra), func(m strictjson.Member) bool { return m.Name == "id" })
		stored.LoadOrStore(pet.ID, extra)
	})
	Members(Showing, func(fields []Field) []Field {
		if extra, known := stored.Load(WholeOf(fields[0].Value)); known {
			for _, m := range extra.([]strictjson.Member) {
				fields = append(fields, Pair(m.Name, string(strictjson.Append(nil, m.Value))))
			}
		}
		return fields
	})(b)
}

var bodyRows = slices.Concat(
	variants(open("CREATE-19"), part("media type"))(
		variant("any-media-type", "A body is read as JSON, whatever its media type.",
			func(b *Behaviour) { b.MediaType = NothingToDo }),
		variant("media-type-required", "A body without a media type is answered 415.", func(b *Behaviour) {
			b.MediaType = After(b.MediaType, func(c *Call, refused *Refusal) *Refusal {
				if c.Request.Header.Get("Content-Type") == "" {
					return Refused(415, "media_type_missing", "Declare application/json.")
				}
				return refused
			})
		}),
		variant("media-type-refused-with-400", "A body of another media type is answered 400.", func(b *Behaviour) {
			b.MediaType = After(b.MediaType, func(_ *Call, refused *Refusal) *Refusal {
				if refused != nil {
					return Invalid("media_type", "The body is not declared application/json.")
				}
				return nil
			})
		}),
	),
	variants()(
		variant("big-bodies-refused", "A body of more than 4 KiB is answered 413.",
			func(b *Behaviour) { b.MaxBody = 4 << 10 },
			open("Limits, rule 6: a limit on request body size is not shown"), part("body size")),
		variant("byte-order-mark-accepted", "A byte order mark before the body is ignored.",
			func(b *Behaviour) {
				strict := b.Parse
				b.Parse = func(body []byte) (strictjson.Value, error) { return strict(bytes.TrimPrefix(body, []byte("\ufeff"))) }
			},
			open("RFC 8259, section 8.1: a parser may ignore a byte order mark"), part("byte order mark")),
	),
)

// wholeNumber reads a number by its value, whatever its form. Its exponent has at most two digits, which bounds the
// work.
func wholeNumber(v strictjson.Value) (int64, bool) {
	if v.Kind != strictjson.Number || len(v.Text) > 64 {
		return 0, false
	}
	if _, exponent, has := strings.Cut(strings.ToLower(v.Text), "e"); has && len(strings.Trim(exponent, "+-0")) > 2 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(v.Text)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}
