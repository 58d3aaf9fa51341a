package reference

import (
	"bytes"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// refuseOpenBody refuses bodies whose acceptance is open.
func refuseOpenBody(status int, is func(c *call) bool) func(*behaviour) {
	return func(b *behaviour) {
		b.checkDraft = after(b.checkDraft, func(c *call, refused *refusal) *refusal {
			if refused != nil || !is(c) {
				return refused
			}
			return &refusal{status: status, code: "not_acceptable_here", message: "This shop does not take such an animal."}
		})
	}
}

func unknownCategory(c *call) bool { return c.draft.CategoryID < 1 || c.draft.CategoryID > 10 }

func unknownMembers(c *call) bool { return len(c.draft.extra) > 0 }

func longName(limit int) func(c *call) bool {
	return nameHas(func(name string) bool { return utf8.RuneCountInString(name) > limit })
}

// defaultStatus gives a status to animals that are created without one.
func defaultStatus(to spec.PetStatus) func(*behaviour) {
	return keep(func(p spec.NewPet) spec.NewPet {
		p.Status = instead("", to)(p.Status)
		return p
	})
}

var createFreedoms = slices.Concat(
	variants(Freedom{Open: open("PET-5"), Part: "categories"}, []Freedom{
		{Name: "categories-checked-400", Says: "Only categories 1 to 10 exist; others are answered 400.", apply: refuseOpenBody(http.StatusBadRequest, unknownCategory)},
		{Name: "categories-checked-404", Says: "Only categories 1 to 10 exist; others are answered 404.", apply: refuseOpenBody(http.StatusNotFound, unknownCategory)},
		{Name: "categories-checked-409", Says: "Only categories 1 to 10 exist; others are answered 409.", apply: refuseOpenBody(http.StatusConflict, unknownCategory)},
		{Name: "categories-checked-422", Says: "Only categories 1 to 10 exist; others are answered 422.", apply: refuseOpenBody(unprocessable, unknownCategory)},
	}),
	variants(Freedom{Open: open("CREATE-17"), Part: "long names"}, []Freedom{
		{Name: "empty-names-refused", Part: "empty names", Says: "An empty name is answered 400.",
			apply: refuseOpenBody(http.StatusBadRequest, nameHas(func(name string) bool { return strings.TrimSpace(name) == "" }))},
		{Name: "short-names-refused", Part: "empty names", Says: "A name of less than 3 characters is answered 400.",
			apply: refuseOpenBody(http.StatusBadRequest, nameHas(func(name string) bool { return utf8.RuneCountInString(name) < 3 }))},
		{Name: "long-names-refused", Says: "A name of more than 255 characters is answered 400.", apply: refuseOpenBody(http.StatusBadRequest, longName(255))},
		{Name: "long-names-refused-422", Says: "A name of more than 100 characters is answered 422.", apply: refuseOpenBody(unprocessable, longName(100))},
		{Name: "names-beyond-64-bytes-refused", Says: "A name of more than 64 bytes is answered 400.", apply: refuseOpenBody(http.StatusBadRequest, nameHas(func(name string) bool { return len(name) > 64 }))},
		{Name: "names-beyond-64-utf-16-units-refused", Says: "A name of more than 64 UTF-16 code units is answered 422.", apply: refuseOpenBody(unprocessable, nameHas(func(name string) bool { return len(utf16.Encode([]rune(name))) > 64 }))},
		{Name: "control-characters-refused", Part: "control characters", Says: "A name with a control character is answered 400.", apply: refuseOpenBody(http.StatusBadRequest, nameHas(hasControls))},
	}),
	variants(Freedom{Open: open("RFC 8259, section 8: what a parser makes of text that is not Unicode is unpredictable"), Part: "text that is not Unicode"}, []Freedom{
		{Name: "surrogates-replaced", Says: "Half of a surrogate pair becomes a question mark.", apply: repairPattern(loneHalf, "?$1")},
		{Name: "bytes-replaced", Says: "Bytes that are not UTF-8 become U+FFFD.", apply: repair(func(body []byte) []byte { return bytes.ToValidUTF8(body, []byte("\ufffd")) })},
	}),
	variants(Freedom{Open: open("CREATE-16"), Part: "unknown members"}, []Freedom{
		{Name: "unknown-members-refused", Says: "A member that NewPet does not have is answered 400.", apply: refuseOpenBody(http.StatusBadRequest, unknownMembers)},
		{Name: "unknown-members-refused-422", Says: "A member that NewPet does not have is answered 422.", apply: refuseOpenBody(unprocessable, unknownMembers)},
		{Name: "unknown-members-kept", Says: "Members that NewPet does not have are stored and shown.", apply: keepExtra},
	}),
	variants(Freedom{Open: open("CREATE-15"), Part: "default status"}, []Freedom{
		{Name: "default-status-available", Says: "An animal that is created without a status is available.", apply: defaultStatus(spec.Available)},
		{Name: "default-status-pending", Says: "An animal that is created without a status is pending.", apply: defaultStatus(spec.Pending)},
	}),
	[]Freedom{
		{Name: "null-status-accepted", Open: open("CREATE-18"), Part: "null status", Says: "A status that is null counts as left out.", apply: func(b *behaviour) {
			b.status = converted(b.status, kindAs(strictjson.Null, spec.PetStatus("")))
		}},
		{Name: "whole-numbers-in-any-form", Open: open("CREATE-20"), Part: "numbers", Says: "7.0 and 1e2 are read as 7 and 100.", apply: laxCategory(wholeNumber)},
		{Name: "doubled-members-accepted", Open: open("CREATE-20"), Part: "doubled members", Says: "If a member is given twice, the last one counts.", apply: func(b *behaviour) {
			b.doubled = func(strictjson.Value) (string, bool) { return "", false }
			b.member = func(object strictjson.Value, name string) (strictjson.Value, bool) {
				for _, m := range slices.Backward(object.Members) {
					if m.Name == name {
						return m.Value, true
					}
				}
				return strictjson.Value{}, false
			}
		}},
	},
)

// keepExtra stores the members that NewPet does not have and shows them, except id, which a Pet has itself.
func keepExtra(b *behaviour) {
	var stored sync.Map
	b.onAdd(func(c *call, pet spec.Pet) {
		extra := slices.DeleteFunc(slices.Clone(c.draft.extra), func(m strictjson.Member) bool { return m.Name == "id" })
		stored.LoadOrStore(pet.ID, extra)
	})
	writePet(showing, func(p spec.Pet, fields []field) []field {
		if extra, known := stored.Load(p.ID); known {
			for _, m := range extra.([]strictjson.Member) {
				fields = append(fields, field{m.Name, string(strictjson.Append(nil, m.Value))})
			}
		}
		return fields
	})(b)
}

var bodyFreedoms = slices.Concat(
	variants(Freedom{Open: open("CREATE-19"), Part: "media type"}, []Freedom{
		{Name: "any-media-type", Says: "A body is read as JSON, whatever its media type.", apply: func(b *behaviour) { b.mediaType = nothingToDo }},
		{Name: "media-type-required", Says: "A body without a media type is answered 415.", apply: func(b *behaviour) {
			b.mediaType = after(b.mediaType, func(c *call, refused *refusal) *refusal {
				if c.request.Header.Get("Content-Type") == "" {
					return &refusal{status: http.StatusUnsupportedMediaType, code: "media_type_missing", message: "The body is not declared application/json."}
				}
				return refused
			})
		}},
		{Name: "media-type-refused-with-400", Says: "A body of another media type is answered 400.", apply: func(b *behaviour) {
			b.mediaType = after(b.mediaType, func(_ *call, refused *refusal) *refusal {
				if refused != nil {
					return invalid("media_type", "The body is not declared application/json.")
				}
				return nil
			})
		}},
	}),
	[]Freedom{
		{Name: "big-bodies-refused", Open: open("Limits, rule 6: a limit on request body size is not shown"), Part: "body size",
			Says: "A body of more than 4 KiB is answered 413.", apply: func(b *behaviour) { b.maxBody = 4 << 10 }},
		{Name: "byte-order-mark-accepted", Open: open("RFC 8259, section 8.1: a parser may ignore a byte order mark"), Part: "byte order mark",
			Says: "A byte order mark before the body is ignored.", apply: func(b *behaviour) {
				strict := b.parse
				b.parse = func(body []byte) (strictjson.Value, error) { return strict(bytes.TrimPrefix(body, []byte("\ufeff"))) }
			}},
	},
)

// wholeNumber reads a number by its value, whatever its form. Its exponent has at most two digits, which bounds the work.
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
