package reference

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
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
	table(Deviation{Breaks: ids("CREATE-8")}, nameTypeRows),
	table(Deviation{Breaks: ids("CREATE-9")}, categoryTypeRows),
	table(Deviation{Breaks: ids("CREATE-10")}, statusTypeRows),
)

var nameTypeRows = []Deviation{
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
}

var categoryTypeRows = []Deviation{
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
}

var statusTypeRows = []Deviation{
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
}
