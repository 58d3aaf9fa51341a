package deviations

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	barePoint = regexp.MustCompile(`(:\s*-?[0-9]+)\.(\s*[,}])`)
)

func hasLoneSurrogate(body []byte) bool { return LoneHalf.Match(body) }

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
		fault("body-empty-object-accepted", emptyAnyway),
		fault("members-cut-at-nul", takeMember(func(wanted, name string) bool { return cutAtNUL(name) == wanted })),
		fault("members-trimmed",
			takeMember(func(wanted, name string) bool { return strings.TrimSpace(name) == wanted })),
	),
	faults(breaks("CREATE-7", "ERROR-1"), may("CREATE-10", "CREATE-11", "ERROR-7"))(
		fault("surrogate-fails", failOn(hasLoneSurrogate)),
	),
	faults(breaks("CREATE-11", "ERROR-1"), may("ERROR-7"))(
		fault("body-not-utf-8-fails", failOn(func(body []byte) bool { return !utf8.Valid(body) })),
	),
	faults(breaks("CREATE-9"))(
		fault("category-false-accepted", LaxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.Bool && v.Text == "false"
		}), needs(Full)),
		fault("category-tiny-fraction-cut",
			LaxCategory(realAs(func(f float64) (int64, bool) { return 0, math.Abs(f) < 1 })), needs(Full)),
		fault("category-empty-text-accepted", LaxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.String && v.Text == ""
		})),
		fault("category-empty-array-accepted", LaxCategory(func(v strictjson.Value) (int64, bool) {
			return 0, v.Kind == strictjson.Array && len(v.Elements) == 0
		}), needs(Full)),
	),
	faults(breaks("CREATE-8"))(
		fault("name-false-accepted", laxName(func(v strictjson.Value) (string, bool) {
			return "", v.Kind == strictjson.Bool && v.Text == "false"
		}), needs(Full)),
		fault("name-0-accepted", laxName(func(v strictjson.Value) (string, bool) {
			return "", v.Kind == strictjson.Number && v.Text == "0"
		}), needs(Full)),
	),
	faults(breaks("CREATE-10"))(
		fault("status-false-accepted", laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return "", v.Kind == strictjson.Bool && v.Text == "false"
		})),
		fault("status-object-accepted", laxStatus(KindAs(strictjson.Object, spec.PetStatus(""))), needs(Full)),
		fault("status-true-accepted", laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return spec.Available, v.Kind == strictjson.Bool && v.Text == "true"
		})),
		fault("status-cut-at-nul", laxStatus(statusText(cutAtNUL)), needs(Full)),
	),
	faults(breaks("CREATE-11"))(
		fault("body-bare-point-accepted", RepairPattern(barePoint, "$1$2"), needs(Full)),
	),
	faults()(
		fault("category-0-left-out", Members(Showing, func(fields []Field) []Field {
			return slices.DeleteFunc(fields, func(f Field) bool { return f == Pair("categoryId", "0") })
		}), breaks("PET-3"), may("CREATE-13", "LIST-10", "GET-2")),
	),
	faults(breaks("CREATE-13"), may("GET-1", "LIST-8", "LIST-11", "LIST-5"))(
		fault("namesake-replaces-the-first", func(b *Behaviour) {
			latest := map[string]int64{}
			b.OnAdd(func(_ *Call, pet spec.Pet) {
				latest[pet.Name] = pet.ID
			})
			Gone(func(_ *Call, p spec.Pet) bool {
				id, known := latest[p.Name]
				return known && id != p.ID
			})(b)
		}),
		fault("namesake-gets-the-same-id", func(b *Behaviour) {
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
		fault("name-controls-fail", RefuseDraft(500, NameHas(HasControls)), breaks("CREATE-1"), may("ERROR-7")),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-key-with-something-before-accepted",
			similar(func(secret, token string) bool { return strings.HasSuffix(token, secret) })),
		fault("auth-key-contained",
			similar(func(secret, token string) bool { return strings.Contains(token, secret) })),
	),
)
