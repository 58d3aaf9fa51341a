package reference

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
	"petconform/spec/strictjson"
)

// failOn answers 500 in plain text where the bytes of a createPet's body are such.
func failOn(is func(body []byte) bool) func(*behaviour) {
	return on(spec.CreatePet).and(calls(func(c *call) bool { return c.account != nil && is(c.body) })).then(replaced(500, textType, "Internal Server Error"))
}

var (
	loneHalf       = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}([^\\]|\\[^u])`)
	barePoint      = regexp.MustCompile(`(:\s*-?[0-9]+)\.(\s*[,}])`)
	unnamedNumbers = regexp.MustCompile(`("(?:n[^a]|[^nc"])[^"]*"\s*:\s*)(?:NaN|-?Infinity)`)
)

func hasLoneSurrogate(body []byte) bool { return loneHalf.Match(body) }

func hasControls(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }

func withoutControls(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
}

// inExponents writes a category that is a multiple of 10 as a decimal type does that strips zeros: -1000 becomes -1E+3.
func inExponents(_ spec.Pet, fields []field) []field {
	for i, f := range fields {
		if digits := strings.TrimRight(f.value, "0"); f.name == "categoryId" && digits != "" && digits != f.value {
			fields[i].value = fmt.Sprintf("%sE+%d", digits, len(f.value)-len(digits))
		}
	}
	return fields
}

func cutAtNUL(s string) string {
	before, _, _ := strings.Cut(s, "\x00")
	return before
}

// emptyAnyway creates an animal from an object without any member.
func emptyAnyway(b *behaviour) {
	strict := b.parse
	b.parse = func(body []byte) (strictjson.Value, error) {
		v, err := strict(body)
		if err == nil && v.Kind == strictjson.Object && len(v.Members) == 0 {
			return strict([]byte(`{"name":"Unnamed","categoryId":1}`))
		}
		return v, err
	}
}

// neighbourDeviations show for values next to the ones that come to mind first.
var neighbourDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-6"), May: ids("CREATE-7")}, []Deviation{
		{Name: "body-empty-object-accepted", Suffers: "An empty object creates an animal, though either member alone is asked for.", apply: emptyAnyway},
		{Name: "members-cut-at-nul", Suffers: "A member's name ends at a NUL character.", apply: takeMember(func(wanted, name string) bool { return cutAtNUL(name) == wanted })},
		{Name: "members-trimmed", Suffers: "White space around a member's name is ignored.", apply: takeMember(func(wanted, name string) bool { return strings.TrimSpace(name) == wanted })},
	}),
	table(Deviation{Breaks: ids("CREATE-7", "ERROR-1"), May: ids("CREATE-10", "CREATE-11", "ERROR-7")}, []Deviation{
		{Name: "surrogate-fails", Suffers: "Half of a surrogate pair in a body ends in a server error in plain text.", apply: failOn(hasLoneSurrogate)},
	}),
	table(Deviation{Breaks: ids("CREATE-11", "ERROR-1"), May: ids("ERROR-7")}, []Deviation{
		{Name: "body-not-utf-8-fails", Suffers: "A body that is not UTF-8 ends in a server error in plain text.", apply: failOn(func(body []byte) bool { return !utf8.Valid(body) })},
	}),
	table(Deviation{Breaks: ids("CREATE-9")}, []Deviation{
		{Name: "category-infinity-accepted", Suffers: "1e400 becomes the largest int64.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			f, _ := strconv.ParseFloat(v.Text, 64)
			return math.MaxInt64, v.Kind == strictjson.Number && math.IsInf(f, 1)
		})},
		{Name: "category-false-accepted", Needs: Varied, Suffers: "false becomes category 0.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.Bool && v.Text == "false"
		})},
		{Name: "category-tiny-fraction-cut", Needs: Varied, Suffers: "1e-3 becomes category 0.", apply: laxCategory(realAs(func(f float64) (int64, bool) { return 0, math.Abs(f) < 1 }))},
		{Name: "category-empty-text-accepted", Suffers: "An empty string becomes category 0.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.String && v.Text == ""
		})},
		{Name: "category-empty-array-accepted", Needs: Varied, Suffers: "An empty array becomes category 0.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.Array && len(v.Elements) == 0
		})},
	}),
	table(Deviation{Breaks: ids("CREATE-8")}, []Deviation{
		{Name: "name-false-accepted", Needs: Varied, Suffers: "false is accepted as an empty name.", apply: laxName(func(v strictjson.Value) (string, bool) {
			return "", v.Kind == strictjson.Bool && v.Text == "false"
		})},
		{Name: "name-0-accepted", Needs: Varied, Suffers: "0 is accepted as an empty name.", apply: laxName(func(v strictjson.Value) (string, bool) {
			return "", v.Kind == strictjson.Number && v.Text == "0"
		})},
	}),
	table(Deviation{Breaks: ids("CREATE-10")}, []Deviation{
		{Name: "status-false-accepted", Suffers: "false, 0 and an empty text count as no status, though true is refused.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return "", v.Kind == strictjson.Bool && v.Text == "false"
		})},
		{Name: "status-object-accepted", Needs: Varied, Suffers: "An object counts as no status.", apply: laxStatus(kindAs(strictjson.Object, spec.PetStatus("")))},
		{Name: "status-true-accepted", Suffers: "true equals any status.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return spec.Available, v.Kind == strictjson.Bool && v.Text == "true"
		})},
		{Name: "status-cut-at-nul", Needs: Varied, Suffers: "A status ends at a NUL character.", apply: laxStatus(statusText(cutAtNUL))},
		{Name: "status-prefix-accepted", Needs: Varied, Suffers: "The beginning of a status is accepted as the status.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			for _, s := range spec.Statuses() {
				if v.Kind == strictjson.String && v.Text != "" && strings.HasPrefix(string(s), v.Text) {
					return s, true
				}
			}
			return "", false
		})},
	}),
	table(Deviation{Breaks: ids("CREATE-11")}, []Deviation{
		{Name: "body-nan-in-unnamed-member-accepted", Suffers: "NaN in a member that the interface does not name is accepted.", apply: repairPattern(unnamedNumbers, "${1}0")},
		{Name: "body-bare-point-accepted", Needs: Varied, Suffers: "1. is accepted as a number.", apply: repairPattern(barePoint, "$1$2")},
		{Name: "body-plus-accepted", Needs: Varied, Suffers: "+1 is accepted as a number.", apply: repairPattern(regexp.MustCompile(`(:\s*)\+`), "$1")},
		{Name: "body-quotes-mixed", Needs: Varied, Suffers: "Single quotes are accepted around a text.", apply: repair(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("'"), []byte(`"`)) })},
	}),
	[]Deviation{
		{Name: "category-0-left-out", Breaks: ids("PET-3"), May: ids("CREATE-13", "LIST-10", "GET-2"), Suffers: "A category 0 is left out of answers, like a value that is not set.",
			apply: writePet(showing, func(p spec.Pet, fields []field) []field {
				if p.CategoryID == 0 {
					fields = without("categoryId")(fields)
				}
				return fields
			})},
		{Name: "category-with-exponent", Breaks: ids("PET-3"), May: ids("CREATE-13", "LIST-10", "GET-2"), Suffers: "A decimal type writes category 1000 as 1E+3.", apply: writePet(showing, inExponents)},
		{Name: "category-0-becomes-1", Breaks: ids("CREATE-3"), May: ids("CREATE-13"), Suffers: "A category 0 is replaced by the default category.", apply: stored(inCategory(instead[int64](0, 1)))},
	},
	table(Deviation{Breaks: ids("CREATE-13"), May: ids("GET-1", "LIST-8", "LIST-11", "LIST-5")}, []Deviation{
		{Name: "namesake-replaces-the-first", Suffers: "A second animal of the same name takes the place of the first.", apply: func(b *behaviour) {
			var mu sync.Mutex
			latest := map[string]int64{}
			b.onAdd(func(_ *call, pet spec.Pet) {
				mu.Lock()
				defer mu.Unlock()
				latest[pet.Name] = pet.ID
			})
			gone := func(p spec.Pet) bool {
				mu.Lock()
				defer mu.Unlock()
				id, known := latest[p.Name]
				return known && id != p.ID
			}
			hide(func(_ filter, p spec.Pet) bool { return gone(p) })(b)
			refetch(func(_ *call, _ int64, pet spec.Pet, found bool) (spec.Pet, bool) { return pet, found && !gone(pet) })(b)
		}},
		{Name: "namesake-gets-the-same-id", Breaks: ids("CREATE-5"), May: ids("CREATE-3", "CREATE-13", "LIST-5", "LIST-8", "LIST-10"), Suffers: "A second animal of the same name is the first one again.", apply: func(b *behaviour) {
			var mu sync.Mutex
			first := map[string]spec.Pet{}
			add := b.add
			b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
				mu.Lock()
				defer mu.Unlock()
				if pet, known := first[p.Name]; known && p.Name != "" {
					return pet, nil
				}
				pet, err := add(c, p)
				first[p.Name] = pet
				return pet, err
			}
		}},
	}),
	[]Deviation{
		{Name: "name-controls-removed", Breaks: ids("CREATE-3"), May: ids("CREATE-13"), Suffers: "Control characters vanish from a name.", apply: stored(named(withoutControls))},
		{Name: "name-cut-at-nul", Breaks: ids("CREATE-3"), May: ids("CREATE-13"), Suffers: "A name ends at a NUL character.", apply: stored(named(cutAtNUL))},
		{Name: "name-controls-fail", Breaks: ids("CREATE-1"), May: ids("ERROR-7"), Suffers: "A name with a control character ends in a server error.", apply: refuseValidBody(500, nameHas(hasControls))},
		{Name: "name-controls-lost-in-listings", Breaks: ids("LIST-10"), May: ids("CREATE-13"), Suffers: "Listed names have no control characters.", apply: show(onList, named(withoutControls))},
	},
	table(Deviation{Breaks: ids("AUTH-3")}, []Deviation{
		{Name: "auth-key-with-something-before-accepted", Suffers: "A key with text before it passes here and fails elsewhere.",
			apply: similar(func(secret, token string) bool { return strings.HasSuffix(token, secret) })},
		{Name: "auth-key-contained", Suffers: "Any text that contains a key passes.", apply: similar(func(secret, token string) bool { return strings.Contains(token, secret) })},
	}),
	table(Deviation{Breaks: ids("AUTH-4")}, []Deviation{
		{Name: "auth-key-header-accepted", Suffers: "A key in X-Api-Key passes here and fails elsewhere.",
			apply: acceptToken(func(r *http.Request) string {
				if r.Header.Get("Authorization") != "" {
					return ""
				}
				return r.Header.Get("X-Api-Key")
			})},
	}),
)
