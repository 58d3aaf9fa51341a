package reference

import (
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// edit changes the members of an object.
type edit func(fields []field) []field

// edited edits the object in a body, or each object of a listing.
func edited(change edit) func(*call, *answer) {
	return rewritten(func(body []byte) []byte {
		v, err := strictjson.Parse(body)
		if err != nil {
			return body
		}
		return editValue(v, change)
	})
}

func editValue(v strictjson.Value, change edit) []byte {
	if v.Kind == strictjson.Array {
		all := make([][]byte, len(v.Elements))
		for i, e := range v.Elements {
			all[i] = editValue(e, change)
		}
		return array(all)
	}
	var fields []field
	for _, m := range v.Members {
		fields = append(fields, field{m.Name, string(strictjson.Append(nil, m.Value))})
	}
	return encode(change(fields))
}

// members edits the members of a Pet in the answers of those operations.
func members(ops []spec.Operation, change edit) func(*behaviour) {
	return on(ops...).and(succeeded).then(edited(change))
}

// member changes the JSON of one member of a Pet.
func member(ops []spec.Operation, name string, change func(value string) string) func(*behaviour) {
	return members(ops, changed(name, change))
}

func without(name string) edit {
	return func(fields []field) []field {
		return slices.DeleteFunc(fields, func(f field) bool { return f.name == name })
	}
}

// adding puts members behind those that are there.
func adding(more ...field) edit {
	return func(fields []field) []field { return append(fields, more...) }
}

// changed changes the JSON of a member that is there.
func changed(name string, change func(value string) string) edit {
	return func(fields []field) []field {
		for i := range fields {
			if fields[i].name == name {
				fields[i].value = change(fields[i].value)
			}
		}
		return fields
	}
}

func valued(name, value string) edit { return changed(name, func(string) string { return value }) }

func renamed(from, to string) edit {
	return func(fields []field) []field {
		for i := range fields {
			if fields[i].name == from {
				fields[i].name = to
			}
		}
		return fields
	}
}

// both makes one edit after the other.
func both(one, two edit) edit {
	return func(fields []field) []field { return two(one(fields)) }
}

// within puts text around a value.
func within(before, after string) func(value string) string {
	return func(value string) string { return before + value + after }
}

func wholeOf(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 64)
	return n
}
