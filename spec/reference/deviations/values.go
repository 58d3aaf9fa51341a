package deviations

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// failOn answers 500 in plain text where the bytes of a createPet's body are such.
func failOn(is func(body []byte) bool) Change {
	asked := On(spec.CreatePet).And(Calls(func(c *Call) bool { return c.Account != nil && is(c.Body) }))
	return asked.Then(Replaced(500, textType, "Internal Server Error"))
}

var (
	barePoint      = regexp.MustCompile(`(:\s*-?[0-9]+)\.(\s*[,}])`)
	infinite       = regexp.MustCompile(`"categoryId":Infinity`)
	unnamedNumbers = regexp.MustCompile(`("(?:n[^a]|[^nc"])[^"]*"\s*:\s*)(?:NaN|-?Infinity)`)
)

func hasLoneSurrogate(body []byte) bool { return LoneHalf.Match(body) }

func withoutControls(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
}

// inExponent writes a multiple of 10 as a decimal type does that strips zeros: -1000 becomes -1E+3.
func inExponent(value string) string {
	digits := strings.TrimRight(value, "0")
	if digits == "" || digits == value {
		return value
	}
	return fmt.Sprintf("%sE+%d", digits, len(value)-len(digits))
}

func cutAtNUL(s string) string {
	before, _, _ := strings.Cut(s, "\x00")
	return before
}

// emptyAnyway creates an animal from an object without any member.
func emptyAnyway(b *Behaviour) {
	strict := b.Parse
	b.Parse = func(body []byte) (strictjson.Value, error) {
		v, err := strict(body)
		if err == nil && v.Kind == strictjson.Object && len(v.Members) == 0 {
			return strict([]byte(`{"name":"Unnamed","categoryId":1}`))
		}
		return v, err
	}
}

// neighbourRows show for values next to the ones that come to mind first.
var neighbourRows = slices.Concat(
	faults(breaks("CREATE-6"), may("CREATE-7"))(
		fault("body-empty-object-accepted",
			"An empty object creates an animal, though either member alone is asked for.",
			emptyAnyway),
		fault("members-cut-at-nul", "A member's name ends at a NUL character.",
			takeMember(func(wanted, name string) bool { return cutAtNUL(name) == wanted })),
		fault("members-trimmed", "White space around a member's name is ignored.",
			takeMember(func(wanted, name string) bool { return strings.TrimSpace(name) == wanted })),
	),
	faults(breaks("CREATE-7", "ERROR-1"), may("CREATE-10", "CREATE-11", "ERROR-7"))(
		fault("surrogate-fails", "Half of a surrogate pair in a body ends in a server error in plain text.",
			failOn(hasLoneSurrogate)),
	),
	faults(breaks("CREATE-11", "ERROR-1"), may("ERROR-7"))(
		fault("body-not-utf-8-fails", "A body that is not UTF-8 ends in a server error in plain text.",
			failOn(func(body []byte) bool { return !utf8.Valid(body) })),
	),
	faults(breaks("CREATE-9"))(
		fault("category-infinity-accepted", "1e400 becomes the largest int64.",
			LaxCategory(func(v strictjson.Value) (int64, bool) {
				f, _ := strconv.ParseFloat(v.Text, 64)
				return math.MaxInt64, v.Kind == strictjson.Number && math.IsInf(f, 1)
			})),
		fault("category-false-accepted", "false becomes category 0.",
			LaxCategory(func(v strictjson.Value) (int64, bool) {
				return 0, v.Kind == strictjson.Bool && v.Text == "false"
			}), needs(Full)),
		fault("category-tiny-fraction-cut", "1e-3 becomes category 0.",
			LaxCategory(realAs(func(f float64) (int64, bool) { return 0, math.Abs(f) < 1 })), needs(Full)),
		fault("category-empty-text-accepted", "An empty string becomes category 0.",
			LaxCategory(func(v strictjson.Value) (int64, bool) {
				return 0, v.Kind == strictjson.String && v.Text == ""
			})),
		fault("category-empty-array-accepted", "An empty array becomes category 0.",
			LaxCategory(func(v strictjson.Value) (int64, bool) {
				return 0, v.Kind == strictjson.Array && len(v.Elements) == 0
			}), needs(Full)),
	),
	faults(breaks("CREATE-8"))(
		fault("name-false-accepted", "false is accepted as an empty name.",
			laxName(func(v strictjson.Value) (string, bool) {
				return "", v.Kind == strictjson.Bool && v.Text == "false"
			}), needs(Full)),
		fault("name-0-accepted", "0 is accepted as an empty name.", laxName(func(v strictjson.Value) (string, bool) {
			return "", v.Kind == strictjson.Number && v.Text == "0"
		}), needs(Full)),
	),
	faults(breaks("CREATE-10"))(
		fault("status-false-accepted", "false, 0 and an empty text count as no status, though true is refused.",
			laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
				return "", v.Kind == strictjson.Bool && v.Text == "false"
			})),
		fault("status-object-accepted", "An object counts as no status.",
			laxStatus(KindAs(strictjson.Object, spec.PetStatus(""))), needs(Full)),
		fault("status-true-accepted", "true equals any status.",
			laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
				return spec.Available, v.Kind == strictjson.Bool && v.Text == "true"
			})),
		fault("status-cut-at-nul", "A status ends at a NUL character.", laxStatus(statusText(cutAtNUL)), needs(Full)),
		fault("status-prefix-accepted", "The beginning of a status is accepted as the status.",
			laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
				for _, s := range spec.Statuses() {
					if v.Kind == strictjson.String && v.Text != "" && strings.HasPrefix(string(s), v.Text) {
						return s, true
					}
				}
				return "", false
			}), needs(Full)),
	),
	faults(breaks("CREATE-11"))(
		fault("body-nan-in-unnamed-member-accepted", "NaN in a member that the interface does not name is accepted.",
			RepairPattern(unnamedNumbers, "${1}0")),
		fault("body-infinity-handed-on", "The parser accepts Infinity, and the store fails on it as a category.",
			func(b *Behaviour) {
				RepairPattern(unnamedNumbers, "${1}0")(b)
				On(spec.CreatePet).And(Calls(func(c *Call) bool { return c.Account != nil && infinite.Match(c.Body) })).Then(WithStatus(500))(b)
			}, may("ERROR-7")),
		fault("body-bare-point-accepted", "1. is accepted as a number.",
			RepairPattern(barePoint, "$1$2"), needs(Full)),
		fault("body-plus-accepted", "+1 is accepted as a number.",
			RepairPattern(regexp.MustCompile(`(:\s*)\+`), "$1"), needs(Full)),
		fault("body-quotes-mixed", "Single quotes are accepted around a text.",
			Repair(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("'"), []byte(`"`)) }),
			needs(Full)),
	),
	faults()(
		fault("category-0-left-out", "A category 0 is left out of answers, like a value that is not set.",
			Members(Showing, func(fields []Field) []Field {
				return slices.DeleteFunc(fields, func(f Field) bool { return f == Pair("categoryId", "0") })
			}), breaks("PET-3"), may("CREATE-13", "LIST-10", "GET-2")),
		fault("category-with-exponent", "A decimal type writes category 1000 as 1E+3.",
			Member(Showing, "categoryId", inExponent), breaks("PET-3"), may("CREATE-13", "LIST-10", "GET-2")),
		fault("category-0-becomes-1", "A category 0 is replaced by the default category.",
			StoredCategory(Instead[int64](0, 1)), breaks("CREATE-3"), may("CREATE-13")),
	),
	faults(breaks("CREATE-13"), may("GET-1", "LIST-8", "LIST-11", "LIST-5"))(
		fault("namesake-replaces-the-first", "A second animal of the same name takes the place of the first.",
			func(b *Behaviour) {
				latest := map[string]int64{}
				b.OnAdd(func(_ *Call, pet spec.Pet) {
					latest[pet.Name] = pet.ID
				})
				Gone(func(_ *Call, p spec.Pet) bool {
					id, known := latest[p.Name]
					return known && id != p.ID
				})(b)
			}),
		fault("namesake-gets-the-same-id", "A second animal of the same name is the first one again.",
			func(b *Behaviour) {
				var mu sync.Mutex
				first := map[string]spec.Pet{}
				add := b.Add
				b.Add = func(c *Call, p spec.NewPet) spec.Pet {
					mu.Lock()
					defer mu.Unlock()
					if pet, known := first[p.Name]; known && p.Name != "" {
						return pet
					}
					first[p.Name] = add(c, p)
					return first[p.Name]
				}
			}, breaks("CREATE-5"), may("CREATE-3", "CREATE-13", "LIST-5", "LIST-8", "LIST-10")),
	),
	faults()(
		fault("name-controls-removed", "Control characters vanish from a name.",
			StoredName(withoutControls), breaks("CREATE-3"), may("CREATE-13")),
		fault("name-cut-at-nul", "A name ends at a NUL character.",
			StoredName(cutAtNUL), breaks("CREATE-3"), may("CREATE-13")),
		fault("name-controls-fail", "A name with a control character ends in a server error.",
			RefuseDraft(500, NameHas(HasControls)), breaks("CREATE-1"), may("ERROR-7")),
		fault("name-controls-lost-in-listings", "Listed names have no control characters.",
			Show(OnList, Named(withoutControls)), breaks("LIST-10"), may("CREATE-13")),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-key-with-something-before-accepted", "A key with text before it passes here and fails elsewhere.",
			similar(func(secret, token string) bool { return strings.HasSuffix(token, secret) })),
		fault("auth-key-contained", "Any text that contains a key passes.",
			similar(func(secret, token string) bool { return strings.Contains(token, secret) })),
	),
	faults(breaks("AUTH-4"))(
		fault("auth-key-header-accepted", "A key in X-Api-Key passes here and fails elsewhere.",
			acceptToken(func(r *http.Request) string {
				if r.Header.Get("Authorization") != "" {
					return ""
				}
				return r.Header.Get("X-Api-Key")
			})),
	),
)
