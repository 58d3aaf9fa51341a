package reference

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"petconform/spec/strictjson"
)

// refuseDraft refuses bodies that are well formed.
func refuseDraft(status int, is func(c *call) bool) func(*behaviour) {
	return func(b *behaviour) {
		b.checkDraft = after(b.checkDraft, func(c *call, refused *refusal) *refusal {
			if refused == nil && is(c) {
				refused = &refusal{status: status, code: "refused", message: "This shop does not take such an animal."}
			}
			return refused
		})
	}
}

// nameHas and statusIs select requests by the NewPet that was read.
func nameHas(is func(name string) bool) func(c *call) bool {
	return func(c *call) bool { return is(c.draft.Name) }
}

func hasControls(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }

// repair parses a body that is not JSON after it was changed. A body that is still not a JSON object is refused as before.
func repair(change func(body []byte) []byte) func(*behaviour) {
	return func(b *behaviour) {
		strict := b.parse
		b.parse = func(body []byte) (strictjson.Value, error) {
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

// repairPattern replaces every match of a pattern.
func repairPattern(pattern *regexp.Regexp, by string) func(*behaviour) {
	return repair(func(body []byte) []byte { return pattern.ReplaceAll(body, []byte(by)) })
}

// loneHalf finds half of a surrogate pair.
var loneHalf = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}([^\\]|\\[^u])`)

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

func laxCategory(take conversion[int64]) func(*behaviour) {
	return func(b *behaviour) { b.categoryID = converted(b.categoryID, take) }
}

// kindAs takes every value of a kind as the same value.
func kindAs[T any](k strictjson.Kind, as T) conversion[T] {
	return func(v strictjson.Value) (T, bool) { return as, v.Kind == k }
}
