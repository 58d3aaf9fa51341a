package reference

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

const unprocessable = http.StatusUnprocessableEntity

// refuseCodeAs refuses bodies that are wrong for one of those reasons with another status than 400.
func refuseCodeAs(status int, codes ...string) func(*behaviour) {
	return func(b *behaviour) {
		b.understand[spec.CreatePet] = after(b.understand[spec.CreatePet], func(_ *call, refused *refusal) *refusal {
			if refused == nil || !slices.Contains(codes, refused.code) {
				return refused
			}
			return &refusal{status: status, code: refused.code, message: refused.message}
		})
	}
}

// optional accepts bodies without a required member.
func optional(name string) func(*behaviour) {
	return func(b *behaviour) {
		before := b.missing
		b.missing = func(c *call, missing string) *refusal {
			if missing == name {
				return nil
			}
			return before(c, missing)
		}
	}
}

// takeMember accepts a required member under another name.
func takeMember(like func(wanted, name string) bool) func(*behaviour) {
	return func(b *behaviour) {
		exact := b.member
		b.member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
			if v, given := exact(object, wanted); given {
				return v, given
			}
			for _, m := range object.Members {
				if like(wanted, m.Name) {
					return m.Value, true
				}
			}
			return strictjson.Value{}, false
		}
	}
}

// takeWrapped accepts required members inside of the object that another member holds.
func takeWrapped(wrapper string) func(*behaviour) {
	return func(b *behaviour) {
		exact := b.member
		b.member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
			if v, given := exact(object, wanted); given {
				return v, given
			}
			inner, _ := exact(object, wrapper)
			return exact(inner, wanted)
		}
	}
}

// refusedDeviations answer each fault of a body with 422 and with 500 in place of 400.
func refusedDeviations() []Deviation {
	var all []Deviation
	for _, fault := range []struct {
		name, code, what string
		breaks           spec.ID
		may              []spec.ID
	}{
		{"name-missing", "name_missing", "a missing name", "CREATE-6", nil},
		{"category-missing", "category_id_missing", "a missing categoryId", "CREATE-7", nil},
		{"name-type", "name_invalid", "a name that is not a string", "CREATE-8", nil},
		{"category-type", "category_id_invalid", "a categoryId that is not an int64", "CREATE-9", nil},
		{"status-value", "status_invalid", "an unknown status", "CREATE-10", nil},
		{"body", "body_invalid", "a body that is not JSON", "CREATE-11", ids("CREATE-10")}, // half of a surrogate pair as a status breaks both
	} {
		all = append(all,
			Deviation{Name: fault.name + "-422", Breaks: ids(fault.breaks), May: fault.may, Suffers: "A client gets 422 in place of 400 for " + fault.what + ".", apply: refuseCodeAs(unprocessable, fault.code)},
			Deviation{Name: fault.name + "-500", Breaks: ids(fault.breaks), May: append(ids("ERROR-7"), fault.may...), Suffers: "A client gets a server error for " + fault.what + ".", apply: refuseCodeAs(500, fault.code)})
	}
	return all
}

var memberCodes = []string{"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"}

var createMissingDeviations = slices.Concat(
	[]Deviation{
		{Name: "name-not-required", Breaks: ids("CREATE-6"), Suffers: "An animal without a name is created.", apply: optional("name")},
		{Name: "members-in-any-case", Breaks: ids("CREATE-6"), May: ids("CREATE-7"), Suffers: "A client that sends NAME works here and fails elsewhere.", apply: takeMember(strings.EqualFold)},
		{Name: "name-also-title", Breaks: ids("CREATE-6"), Suffers: "A name is also accepted as title, Name or NAME.", apply: takeMember(func(wanted, name string) bool {
			return wanted == "name" && slices.Contains([]string{"title", "Name", "NAME"}, name)
		})},
		{Name: "members-wrapped-in-pet", Breaks: ids("CREATE-6"), Suffers: "A client that wraps the animal in a member pet works here and fails elsewhere.", apply: takeWrapped("pet")},
		{Name: "category-not-required", Breaks: ids("CREATE-7"), Suffers: "An animal without a category is created in category 0.", apply: optional("categoryId")},
		{Name: "category-also-snake-case", Breaks: ids("CREATE-7"), Suffers: "A categoryId is also accepted as category_id, category or in another case.",
			apply: takeMember(func(wanted, name string) bool {
				return wanted == "categoryId" && (name == "category_id" || name == "category" || strings.EqualFold(name, wanted))
			})},
	},
	refusedDeviations(),
	table(Deviation{Breaks: ids("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10")}, []Deviation{
		{Name: "invalid-422", Suffers: "Every invalid member is refused with 422 in place of 400.", apply: refuseCodeAs(unprocessable, memberCodes...)},
		{Name: "invalid-200", Suffers: "Every invalid member is answered 200 with an Error in the body.", apply: refuseCodeAs(200, memberCodes...)},
	}),
)

// A conversion takes a member's value that has to be refused. Its second result is false for a value that stays refused.
type conversion[T any] func(v strictjson.Value) (T, bool)

// converted reads a member strictly and takes what that refuses by a conversion.
func converted[T any](strict func(strictjson.Value) (T, *refusal), take conversion[T]) func(strictjson.Value) (T, *refusal) {
	return func(v strictjson.Value) (T, *refusal) {
		read, refused := strict(v)
		if refused != nil {
			if taken, ok := take(v); ok {
				return taken, nil
			}
		}
		return read, refused
	}
}

func laxName(take conversion[string]) func(*behaviour) {
	return func(b *behaviour) { b.name = converted(b.name, take) }
}

func laxCategory(take conversion[int64]) func(*behaviour) {
	return func(b *behaviour) { b.categoryID = converted(b.categoryID, take) }
}

// laxStatus leaves the status null alone, whose acceptance is open.
func laxStatus(take conversion[spec.PetStatus]) func(*behaviour) {
	return func(b *behaviour) {
		b.status = converted(b.status, func(v strictjson.Value) (spec.PetStatus, bool) {
			status, ok := take(v)
			return status, ok && v.Kind != strictjson.Null
		})
	}
}

// kindAs takes every value of a kind as the same value.
func kindAs[T any](k strictjson.Kind, as T) conversion[T] {
	return func(v strictjson.Value) (T, bool) { return as, v.Kind == k }
}

// textOf takes every value of a kind by its text.
func textOf(k strictjson.Kind) conversion[string] {
	return func(v strictjson.Value) (string, bool) { return v.Text, v.Kind == k }
}

// realAs takes numbers that are not int64 by a rule for float64. 7.0 and 1e2 stay refused: they are open.
func realAs(rule func(float64) (int64, bool)) conversion[int64] {
	return func(v strictjson.Value) (int64, bool) {
		f, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != strictjson.Number || err != nil || f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return 0, false
		}
		return rule(f)
	}
}

// statusText takes a string as a status after a change of its text.
func statusText(change func(string) string) conversion[spec.PetStatus] {
	return func(v strictjson.Value) (spec.PetStatus, bool) {
		s := spec.PetStatus(change(v.Text))
		return s, v.Kind == strictjson.String && s.Valid()
	}
}

var createTypeDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-8")}, []Deviation{
		{Name: "name-number-accepted", Suffers: "A number is accepted as a name.", apply: laxName(textOf(strictjson.Number))},
		{Name: "name-boolean-accepted", Suffers: "true is accepted as a name.", apply: laxName(textOf(strictjson.Bool))},
		{Name: "name-null-accepted", Suffers: "null is accepted as an empty name.", apply: laxName(kindAs(strictjson.Null, ""))},
		{Name: "name-object-accepted", Needs: Varied, Suffers: "An object becomes the name [object Object].", apply: laxName(kindAs(strictjson.Object, "[object Object]"))},
		{Name: "name-array-accepted", Suffers: "An array becomes the name in its first element.", apply: laxName(func(v strictjson.Value) (string, bool) {
			if v.Kind == strictjson.Array && len(v.Elements) > 0 {
				return v.Elements[0].Text, true
			}
			return "", v.Kind == strictjson.Array
		})},
	}),
	table(Deviation{Breaks: ids("CREATE-9")}, []Deviation{
		{Name: "category-text-accepted", Suffers: "A number in quotation marks is accepted.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			n, err := strconv.ParseInt(v.Text, 10, 64)
			return n, v.Kind == strictjson.String && err == nil
		})},
		{Name: "category-boolean-accepted", Suffers: "A boolean becomes category 1.", apply: laxCategory(kindAs(strictjson.Bool, int64(1)))},
		{Name: "category-null-accepted", Suffers: "null becomes category 0.", apply: laxCategory(kindAs(strictjson.Null, int64(0)))},
		{Name: "category-array-accepted", Suffers: "An array becomes the category of its length.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			return int64(len(v.Elements)), v.Kind == strictjson.Array
		})},
		{Name: "category-object-accepted", Suffers: "An object becomes category 0.", apply: laxCategory(kindAs(strictjson.Object, int64(0)))},
		{Name: "category-fraction-cut", Suffers: "Category 1.9 becomes category 1.", apply: laxCategory(realAs(func(f float64) (int64, bool) { return int64(f), math.Abs(f) < 1<<53 }))},
		{Name: "category-overflow-wrapped", Suffers: "A category beyond int64 wraps around to another one.", apply: laxCategory(func(v strictjson.Value) (int64, bool) {
			n, err := strconv.ParseUint(v.Text, 10, 64)
			return int64(n), v.Kind == strictjson.Number && err == nil
		})},
		{Name: "category-overflow-largest", Suffers: "A category beyond int64 becomes the largest or smallest int64.", apply: laxCategory(realAs(func(f float64) (int64, bool) {
			if f < 0 {
				return math.MinInt64, f < -1<<63
			}
			return math.MaxInt64, f >= 1<<63
		}))},
		{Name: "category-overflow-below-accepted", Needs: Varied, Suffers: "A category below int64 becomes the smallest int64.", apply: laxCategory(realAs(func(f float64) (int64, bool) {
			return math.MinInt64, f <= -1<<63
		}))},
	}),
	table(Deviation{Breaks: ids("CREATE-10")}, []Deviation{
		{Name: "status-any-accepted", May: ids("PET-4"), Suffers: "An unknown status is stored and shown.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return spec.PetStatus(v.Text), v.Kind == strictjson.String
		})},
		{Name: "status-unknown-as-available", Suffers: "An unknown status becomes available, so a sold animal may be offered.", apply: laxStatus(kindAs(strictjson.String, spec.Available))},
		{Name: "status-in-any-case", Suffers: "Sold and SOLD are accepted as sold.", apply: laxStatus(statusText(strings.ToLower))},
		{Name: "status-empty-accepted", Suffers: "An empty status is accepted as none.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return "", v.Kind == strictjson.String && v.Text == ""
		})},
		{Name: "status-trimmed", Suffers: "White space around a status is ignored.", apply: laxStatus(statusText(strings.TrimSpace))},
		{Name: "status-number-accepted", Suffers: "A number is accepted as a position in the enumeration.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			n, err := v.Int64()
			return spec.Statuses()[uint64(n)%3], err == nil
		})},
		{Name: "status-boolean-accepted", Suffers: "A boolean becomes available.", apply: laxStatus(kindAs(strictjson.Bool, spec.Available))},
		{Name: "status-array-accepted", Suffers: "An array becomes available.", apply: laxStatus(kindAs(strictjson.Array, spec.Available))},
	}),
)
