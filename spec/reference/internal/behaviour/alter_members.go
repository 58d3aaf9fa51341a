package behaviour

import (
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// Edit changes the members of an object.
type Edit func(fields []Field) []Field

// Edited edits the object in a body, or each object of a listing.
func Edited(change Edit) func(*Call, *Answer) {
	return Rewritten(func(body []byte) []byte {
		v, err := strictjson.Parse(body)
		if err != nil {
			return body
		}
		return editValue(v, change)
	})
}

func editValue(v strictjson.Value, change Edit) []byte {
	if v.Kind == strictjson.Array {
		all := make([][]byte, len(v.Elements))
		for i, e := range v.Elements {
			all[i] = editValue(e, change)
		}
		return Array(all)
	}
	var fields []Field
	for _, m := range v.Members {
		fields = append(fields, Field{m.Name, string(strictjson.Append(nil, m.Value))})
	}
	return Encode(change(fields))
}

// Members edits the members of a Pet in the answers of those operations.
func Members(ops []spec.Operation, change Edit) Change {
	return On(ops...).And(Succeeded).Then(Edited(change))
}

// Member changes the JSON of one member of a Pet.
func Member(ops []spec.Operation, name string, change func(value string) string) Change {
	return Members(ops, Changed(name, change))
}

func Without(name string) Edit {
	return func(fields []Field) []Field {
		return slices.DeleteFunc(fields, func(f Field) bool { return f.Name == name })
	}
}

// Adding puts members behind those that are there.
func Adding(more ...Field) Edit {
	return func(fields []Field) []Field { return append(fields, more...) }
}

// Changed changes the JSON of a member that is there.
func Changed(name string, change func(value string) string) Edit {
	return func(fields []Field) []Field {
		for i := range fields {
			if fields[i].Name == name {
				fields[i].Value = change(fields[i].Value)
			}
		}
		return fields
	}
}

func Valued(name, value string) Edit { return Changed(name, func(string) string { return value }) }

func Renamed(from, to string) Edit {
	return func(fields []Field) []Field {
		for i := range fields {
			if fields[i].Name == from {
				fields[i].Name = to
			}
		}
		return fields
	}
}

// Both makes one edit after the other.
func Both(one, two Edit) Edit {
	return func(fields []Field) []Field { return two(one(fields)) }
}

// Within puts text around a value.
func Within(before, after string) func(value string) string {
	return func(value string) string { return before + value + after }
}

func WholeOf(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 64)
	return n
}
