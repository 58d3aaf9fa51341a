package behaviour

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"petconform/spec/strictjson"
)

// RefuseDraft refuses bodies that are well formed.
func RefuseDraft(status int, is func(c *Call) bool) Change {
	return func(b *Behaviour) {
		b.CheckDraft = After(b.CheckDraft, func(c *Call, refused *Refusal) *Refusal {
			if refused == nil && is(c) {
				refused = Refused(status, "refused", "This shop does not take such an animal.")
			}
			return refused
		})
	}
}

// NameHas and statusIs select requests by the NewPet that was read.
func NameHas(is func(name string) bool) func(c *Call) bool {
	return func(c *Call) bool { return is(c.Draft.Name) }
}

func HasControls(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }

// Repair parses a body that is not JSON after it was changed. A body that is still not a JSON object is refused as
// before.
func Repair(change func(body []byte) []byte) Change {
	return func(b *Behaviour) {
		strict := b.Parse
		b.Parse = func(body []byte) (strictjson.Value, error) {
			v, err := strict(body)
			if err == nil && v.Kind == strictjson.Object {
				return v, nil
			}
			if repaired, again := strict(change(bytes.Clone(body))); again == nil && repaired.Kind == strictjson.Object {
				return repaired, nil
			}
			return v, err
		}
	}
}

// RepairPattern replaces every match of a pattern.
func RepairPattern(pattern *regexp.Regexp, by string) Change {
	return Repair(func(body []byte) []byte { return pattern.ReplaceAll(body, []byte(by)) })
}

// LoneHalf finds half of a surrogate pair.
var LoneHalf = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}([^\\]|\\[^u])`)

// A conversion takes a member's value that has to be refused. Its second result is false for a value that stays
// refused.
type Conversion[T any] func(v strictjson.Value) (T, bool)

// Converted reads a member strictly and takes what that refuses by a conversion.
func Converted[T any](strict func(strictjson.Value) (T, *Refusal), take Conversion[T]) func(strictjson.Value) (T, *Refusal) {
	return func(v strictjson.Value) (T, *Refusal) {
		read, refused := strict(v)
		if refused != nil {
			if taken, ok := take(v); ok {
				return taken, nil
			}
		}
		return read, refused
	}
}

func LaxCategory(take Conversion[int64]) Change {
	return func(b *Behaviour) { b.categoryID = Converted(b.categoryID, take) }
}

// KindAs takes every value of a kind as the same value.
func KindAs[T any](k strictjson.Kind, as T) Conversion[T] {
	return func(v strictjson.Value) (T, bool) { return as, v.Kind == k }
}
