package reference

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// laxName, laxCategory and laxStatus make deviations that take a member's value where it is to be refused.
func laxName(name, suffers string, take func(v strictjson.Value) (string, bool)) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-8"), Suffers: suffers,
		apply: func(b *behaviour) {
			strict := b.name
			b.name = func(v strictjson.Value) (string, *refusal) {
				if taken, ok := take(v); ok {
					return taken, nil
				}
				return strict(v)
			}
		},
	}
}

func laxCategory(name, suffers string, take func(v strictjson.Value) (int64, bool)) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-9"), Suffers: suffers,
		apply: func(b *behaviour) {
			strict := b.categoryID
			b.categoryID = func(v strictjson.Value) (int64, *refusal) {
				n, refused := strict(v)
				if refused == nil {
					return n, nil
				}
				if n, ok := take(v); ok {
					return n, nil
				}
				return 0, refused
			}
		},
	}
}

func laxStatus(name, suffers string, take func(v strictjson.Value) (spec.PetStatus, bool), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-10"), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			strict := b.status
			b.status = func(v strictjson.Value) (spec.PetStatus, *refusal) {
				s, refused := strict(v)
				// A status that is null is open.
				if refused == nil || v.Kind == strictjson.Null {
					return s, refused
				}
				if s, ok := take(v); ok {
					return s, nil
				}
				return "", refused
			}
		},
	}
}

// kindAs takes every value of a kind as the same.
func kindAs[T any](k strictjson.Kind, as T) func(strictjson.Value) (T, bool) {
	return func(v strictjson.Value) (T, bool) { return as, v.Kind == k }
}

// textOf takes every value of a kind by its text.
func textOf(k strictjson.Kind) func(strictjson.Value) (string, bool) {
	return func(v strictjson.Value) (string, bool) { return v.Text, v.Kind == k }
}

// real takes numbers that are no int64, by a rule for floats.
func real(rule func(float64) (int64, bool)) func(strictjson.Value) (int64, bool) {
	return func(v strictjson.Value) (int64, bool) {
		f, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != strictjson.Number || err != nil {
			return 0, false
		}
		// 7.0 and 1e2 are open, so they stay as they are.
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return 0, false
		}
		return rule(f)
	}
}

func withinInt64(f float64) bool { return f >= -1<<63 && f < 1<<63 }

var createTypeDeviations = slices.Concat(nameTypeDeviations, categoryTypeDeviations, statusValueDeviations)

var nameTypeDeviations = []Deviation{
	laxName("name-number-accepted", "A number becomes a name, and nobody notices the mistake.", textOf(strictjson.Number)),
	explored(laxName("name-boolean-accepted", "true becomes a name.", textOf(strictjson.Bool))),
	laxName("name-null-accepted", "An animal called nothing gets into the shop.", kindAs(strictjson.Null, "")),
	laxName("name-null-as-text", "An animal is called null.", kindAs(strictjson.Null, "null")),
	explored(laxName("name-object-accepted", "An animal is called [object Object].", kindAs(strictjson.Object, "[object Object]"))),
	laxName("name-array-accepted", "An animal is called after the first of a list.", func(v strictjson.Value) (string, bool) {
		if v.Kind == strictjson.Array && len(v.Elements) > 0 {
			return v.Elements[0].Text, true
		}
		return "", v.Kind == strictjson.Array
	}),
}

var categoryTypeDeviations = []Deviation{
	laxCategory("category-text-accepted", "A number in quotation marks is taken, so the client never learns of its mistake.", func(v strictjson.Value) (int64, bool) {
		n, err := strconv.ParseInt(v.Text, 10, 64)
		return n, v.Kind == strictjson.String && err == nil
	}),
	laxCategory("category-any-text-as-0", "What is no number becomes category 0.", kindAs(strictjson.String, int64(0))),
	laxCategory("category-boolean-accepted", "true becomes category 1.", kindAs(strictjson.Bool, int64(1))),
	laxCategory("category-null-accepted", "null becomes category 0.", kindAs(strictjson.Null, int64(0))),
	laxCategory("category-array-accepted", "A list counts as its length.", func(v strictjson.Value) (int64, bool) { return int64(len(v.Elements)), v.Kind == strictjson.Array }),
	explored(laxCategory("category-object-accepted", "An object counts as 0.", kindAs(strictjson.Object, int64(0)))),
	laxCategory("category-fraction-cut", "Category 1.9 becomes category 1.", real(func(f float64) (int64, bool) { return int64(f), math.Abs(f) < 1<<53 })),
	laxCategory("category-fraction-rounded", "Category 1.5 becomes category 2.", real(func(f float64) (int64, bool) { return int64(math.Round(f)), math.Abs(f) < 1<<53 })),
	laxCategory("category-overflow-wrapped", "Beyond int64 a category becomes some other one.", func(v strictjson.Value) (int64, bool) {
		n, err := strconv.ParseUint(v.Text, 10, 64)
		return int64(n), v.Kind == strictjson.Number && err == nil
	}),
	laxCategory("category-overflow-largest", "Beyond int64 a category becomes its largest.", real(func(f float64) (int64, bool) {
		if f < 0 {
			return math.MinInt64, f < -1<<63
		}
		return math.MaxInt64, f >= 1<<63
	})),
	explored(laxCategory("category-overflow-below-accepted", "Only the upper end of int64 is checked.", real(func(f float64) (int64, bool) { return math.MinInt64, f <= -1<<63 }))),
	laxCategory("category-huge-as-0", "A number that no float holds becomes category 0.", func(v strictjson.Value) (int64, bool) {
		f, err := strconv.ParseFloat(v.Text, 64)
		return 0, v.Kind == strictjson.Number && (err != nil || !withinInt64(f))
	}),
}

var statusValueDeviations = []Deviation{
	laxStatus("status-any-accepted", "Whatever is sent as a status is kept and shown.", func(v strictjson.Value) (spec.PetStatus, bool) {
		return spec.PetStatus(v.Text), v.Kind == strictjson.String
	}, "PET-4"),
	laxStatus("status-unknown-as-none", "An unknown status is dropped without a word.", kindAs(strictjson.String, spec.PetStatus(""))),
	laxStatus("status-unknown-as-available", "An unknown status becomes available: a sold animal is offered.", kindAs(strictjson.String, spec.Available)),
	laxStatus("status-in-any-case", "Sold and SOLD are taken for sold.", func(v strictjson.Value) (spec.PetStatus, bool) {
		s := spec.PetStatus(strings.ToLower(v.Text))
		return s, v.Kind == strictjson.String && s.Valid()
	}),
	laxStatus("status-empty-accepted", "An empty status counts as none.", func(v strictjson.Value) (spec.PetStatus, bool) {
		return "", v.Kind == strictjson.String && v.Text == ""
	}),
	laxStatus("status-trimmed", "White space around a status is ignored.", func(v strictjson.Value) (spec.PetStatus, bool) {
		s := spec.PetStatus(strings.TrimSpace(v.Text))
		return s, v.Kind == strictjson.String && s.Valid()
	}),
	laxStatus("status-number-accepted", "A number counts as a position in the enumeration.", func(v strictjson.Value) (spec.PetStatus, bool) {
		n, err := v.Int64()
		return spec.Statuses()[uint64(n)%3], err == nil
	}),
	explored(laxStatus("status-boolean-accepted", "true counts as available.", kindAs(strictjson.Bool, spec.Available))),
	laxStatus("status-array-accepted", "A list of statuses counts as its first.", func(v strictjson.Value) (spec.PetStatus, bool) {
		return spec.Available, v.Kind == strictjson.Array
	}),
}
