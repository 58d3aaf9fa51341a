package deviations

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// refuseCodeAs refuses bodies that are wrong for one of those reasons with another status than 400.
func refuseCodeAs(status int, codes ...string) Change {
	return func(b *Behaviour) {
		b.Understand[spec.CreatePet] = After(b.Understand[spec.CreatePet], func(_ *Call, refused *Refusal) *Refusal {
			if refused == nil || !slices.Contains(codes, refused.Code) {
				return refused
			}
			return Refused(status, refused.Code, refused.Message)
		})
	}
}

// optional accepts bodies without a required member.
func optional(name string) Change {
	return func(b *Behaviour) {
		before := b.Missing
		b.Missing = func(c *Call, missing string) *Refusal {
			if missing == name {
				return nil
			}
			return before(c, missing)
		}
	}
}

// takeMember accepts a required member under another name.
func takeMember(like func(wanted, name string) bool) Change {
	return func(b *Behaviour) {
		exact := b.Member
		b.Member = func(object strictjson.Value, wanted string) (strictjson.Value, bool) {
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

// refusedElsewise answers a fault of a body with 422 and with 500 in place of 400.
func refusedElsewise(broken spec.ID, name, code string, also ...spec.ID) []Deviation {
	return faults(breaks(broken), may(also...))(
		fault(name+"-422", refuseCodeAs(422, code)),
		fault(name+"-500", refuseCodeAs(500, code), may(append([]spec.ID{"ERROR-7"}, also...)...)),
	)
}

var memberCodes = []string{"name_missing", "category_id_missing", "name_invalid", "category_id_invalid", "status_invalid"}

var createMissingRows = slices.Concat(
	faults()(
		fault("name-not-required", optional("name"), breaks("CREATE-6")),
		fault("members-in-any-case", takeMember(strings.EqualFold), breaks("CREATE-6"), may("CREATE-7")),
		fault("name-also-title", takeMember(func(wanted, name string) bool {
			return wanted == "name" && slices.Contains([]string{"title", "Name", "NAME"}, name)
		}), breaks("CREATE-6")),
		fault("category-not-required", optional("categoryId"), breaks("CREATE-7")),
	),
	refusedElsewise("CREATE-6", "name-missing", "name_missing"),
	refusedElsewise("CREATE-7", "category-missing", "category_id_missing"),
	refusedElsewise("CREATE-8", "name-type", "name_invalid"),
	refusedElsewise("CREATE-9", "category-type", "category_id_invalid"),
	refusedElsewise("CREATE-10", "status-value", "status_invalid"),
	// Half of a surrogate pair as a status breaks both.
	refusedElsewise("CREATE-11", "body", "body_invalid", "CREATE-10"),
	faults(breaks("CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10"))(
		fault("invalid-422", refuseCodeAs(422, memberCodes...)),
		fault("invalid-200", refuseCodeAs(200, memberCodes...)),
	),
)

func laxName(take Conversion[string]) Change {
	return func(b *Behaviour) { b.Name = Converted(b.Name, take) }
}

// laxStatus leaves the status null alone, whose acceptance is open.
func laxStatus(take Conversion[spec.PetStatus]) Change {
	return func(b *Behaviour) {
		b.Status = Converted(b.Status, func(v strictjson.Value) (spec.PetStatus, bool) {
			status, ok := take(v)
			return status, ok && v.Kind != strictjson.Null
		})
	}
}

// textOf takes every value of a kind by its text.
func textOf(k strictjson.Kind) Conversion[string] {
	return func(v strictjson.Value) (string, bool) { return v.Text, v.Kind == k }
}

// realAs takes numbers that are not int64 by a rule for float64. 7.0 and 1e2 stay refused: they are open.
func realAs(rule func(float64) (int64, bool)) Conversion[int64] {
	return func(v strictjson.Value) (int64, bool) {
		f, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != strictjson.Number || err != nil || f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return 0, false
		}
		return rule(f)
	}
}

// statusText takes a string as a status after a change of its text.
func statusText(change func(string) string) Conversion[spec.PetStatus] {
	return func(v strictjson.Value) (spec.PetStatus, bool) {
		s := spec.PetStatus(change(v.Text))
		return s, v.Kind == strictjson.String && s.Valid()
	}
}

var createTypeRows = slices.Concat(
	faults(breaks("CREATE-8"))(
		fault("name-number-accepted", laxName(textOf(strictjson.Number))),
		fault("name-boolean-accepted", laxName(textOf(strictjson.Bool))),
		fault("name-null-accepted", laxName(KindAs(strictjson.Null, ""))),
		fault("name-object-accepted", laxName(KindAs(strictjson.Object, "[object Object]")), needs(Full)),
		fault("name-array-accepted", laxName(func(v strictjson.Value) (string, bool) {
			if v.Kind == strictjson.Array && len(v.Elements) > 0 {
				return v.Elements[0].Text, true
			}
			return "", v.Kind == strictjson.Array
		})),
	),
	faults(breaks("CREATE-9"))(
		fault("category-text-accepted", LaxCategory(func(v strictjson.Value) (int64, bool) {
			n, err := strconv.ParseInt(v.Text, 10, 64)
			return n, v.Kind == strictjson.String && err == nil
		})),
		fault("category-boolean-accepted", LaxCategory(KindAs(strictjson.Bool, int64(1)))),
		fault("category-null-accepted", LaxCategory(KindAs(strictjson.Null, int64(0)))),
		fault("category-array-accepted", LaxCategory(func(v strictjson.Value) (int64, bool) {
			return int64(len(v.Elements)), v.Kind == strictjson.Array
		})),
		fault("category-object-accepted", LaxCategory(KindAs(strictjson.Object, int64(0)))),
		fault("category-fraction-cut",
			LaxCategory(realAs(func(f float64) (int64, bool) { return int64(f), math.Abs(f) < 1<<53 }))),
		fault("category-overflow-largest", LaxCategory(realAs(func(f float64) (int64, bool) {
			if f < 0 {
				return math.MinInt64, f < -1<<63
			}
			return math.MaxInt64, f >= 1<<63
		}))),
		fault("category-overflow-below-accepted",
			LaxCategory(realAs(func(f float64) (int64, bool) { return math.MinInt64, f <= -1<<63 })), needs(Full)),
	),
	faults(breaks("CREATE-10"))(
		fault("status-any-accepted", laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return spec.PetStatus(v.Text), v.Kind == strictjson.String
		}), may("PET-4")),
		fault("status-unknown-as-available", laxStatus(KindAs(strictjson.String, spec.Available))),
		fault("status-in-any-case", laxStatus(statusText(strings.ToLower))),
		fault("status-empty-accepted", laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return "", v.Kind == strictjson.String && v.Text == ""
		})),
		fault("status-trimmed", laxStatus(statusText(strings.TrimSpace))),
		fault("status-number-accepted", laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			n, err := v.Int64()
			return spec.Statuses()[uint64(n)%3], err == nil
		})),
		fault("status-boolean-accepted", laxStatus(KindAs(strictjson.Bool, spec.Available))),
		fault("status-array-accepted", laxStatus(KindAs(strictjson.Array, spec.Available))),
	),
)
