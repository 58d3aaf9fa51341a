package altered

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/strictjson"
)

// ofMembers alters each member of the body's object, or of each object of its array.
func ofMembers(x exchange.Exchange) (all []Alteration) {
	v, err := strictjson.Parse(x.Response.Body)
	if err == nil && v.Kind == strictjson.Object {
		return inObject(v, 0, func(changed strictjson.Value) strictjson.Value { return changed })
	}
	for n, e := range v.Elements {
		if e.Kind == strictjson.Object {
			all = append(all, inObject(e, n+1, func(changed strictjson.Value) strictjson.Value { return without(v, n, changed) })...)
		}
	}
	return all
}

// without is an array with others in the place of an element.
func without(v strictjson.Value, n int, others ...strictjson.Value) strictjson.Value {
	return strictjson.Value{Kind: strictjson.Array, Elements: slices.Concat(v.Elements[:n], others, v.Elements[n+1:])}
}

// inObject alters one object; put sets it where it stood.
func inObject(o strictjson.Value, element int, put func(strictjson.Value) strictjson.Value) (all []Alteration) {
	add := func(do, of, how string, members ...strictjson.Member) {
		a := body(do+" member", of, how, func() []byte {
			return strictjson.Append(nil, put(strictjson.Value{Kind: strictjson.Object, Members: members}))
		})
		a.Element = element
		all = append(all, a)
	}
	for n, m := range o.Members {
		with := func(others ...strictjson.Member) []strictjson.Member {
			return slices.Concat(o.Members[:n], others, o.Members[n+1:])
		}
		add("drop", m.Name, "", with()...)
		add("duplicate", m.Name, "", with(m, m)...)
		for _, other := range []string{strings.ToUpper(m.Name), "_" + m.Name, m.Name + "s"} {
			add("rename", m.Name, "to "+other, with(strictjson.Member{Name: other, Value: m.Value})...)
		}
		for _, c := range otherValues(m.Value) {
			add(c.do, m.Name, c.how, with(strictjson.Member{Name: m.Name, Value: c.value})...)
		}
	}
	add("add", "petconform", "that nothing names", slices.Concat(o.Members, []strictjson.Member{{Name: "petconform", Value: text("new")}})...)
	return all
}

type valueChange struct {
	do, how string
	value   strictjson.Value
}

func text(s string) strictjson.Value    { return strictjson.Value{Kind: strictjson.String, Text: s} }
func literal(s string) strictjson.Value { return strictjson.Value{Kind: strictjson.Number, Text: s} }

// otherValues returns other values for a value: of each other kind, and near ones of its own.
func otherValues(v strictjson.Value) []valueChange {
	all := []valueChange{
		{"retype", "to null", strictjson.Value{Kind: strictjson.Null}},
		{"retype", "to true", strictjson.Value{Kind: strictjson.Bool, Text: "true"}},
		{"retype", "to an array of itself", strictjson.Value{Kind: strictjson.Array, Elements: []strictjson.Value{v}}},
		{"retype", "to an object", strictjson.Value{Kind: strictjson.Object, Members: []strictjson.Member{{Name: "value", Value: v}}}},
	}
	switch v.Kind {
	case strictjson.Number:
		all = append(all, valueChange{"retype", "to a string", text(v.Text)}, valueChange{"retype", "to x.0", literal(v.Text + ".0")},
			valueChange{"retype", "to x.5", literal(v.Text + ".5")}, valueChange{"retype", "to an exponent", literal(v.Text + "e0")},
			valueChange{"shift", "beyond int64", literal("9223372036854775808")})
		if v.Text != "0" { // -0 is 0
			all = append(all, valueChange{"shift", "to its opposite", literal("-" + v.Text)})
		}
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil {
			return all
		}
		for _, by := range []int64{1, -1, 100, 1 << 32} {
			all = append(all, valueChange{"shift", fmt.Sprintf("by %d", by), literal(strconv.FormatInt(n+by, 10))})
		}
		if f := strconv.FormatFloat(float64(n), 'f', -1, 64); f != v.Text {
			all = append(all, valueChange{"shift", "to the nearest float64", literal(f)})
		}
	case strictjson.String:
		all = append(all, valueChange{"retype", "to a number", literal("7")}, valueChange{"replace", "by nothing", text("")},
			valueChange{"truncate", "by one letter", text(cut(v.Text))}, valueChange{"add", "a space", text(v.Text + " ")},
			valueChange{"replace", "in capitals", text(strings.ToUpper(v.Text))}, valueChange{"replace", "by another word", text("adopted")},
			valueChange{"replace", "by sold", text("sold")}, valueChange{"replace", "by available", text("available")})
	}
	return slices.DeleteFunc(all, func(c valueChange) bool {
		return c.value.Kind == v.Kind && (v.Kind == strictjson.String || v.Kind == strictjson.Number) && c.value.Text == v.Text
	})
}

// cut leaves out the last letter.
func cut(s string) string {
	r := []rune(s)
	return string(r[:max(len(r)-1, 0)])
}

// ofElements alters the elements of a listing as such.
func ofElements(x exchange.Exchange) (all []Alteration) {
	v, err := strictjson.Parse(x.Response.Body)
	if err != nil || v.Kind != strictjson.Array {
		return nil
	}
	for n, e := range v.Elements {
		add := func(do, how string, others ...strictjson.Value) {
			a := body(do+" element", "", how, func() []byte { return strictjson.Append(nil, without(v, n, others...)) })
			a.Element = n + 1
			all = append(all, a)
		}
		add("drop", "")
		add("duplicate", "", e, e)
		add("retype", "to null", strictjson.Value{Kind: strictjson.Null})
		add("retype", "to a string", text("pet"))
		add("retype", "to an array", strictjson.Value{Kind: strictjson.Array, Elements: []strictjson.Value{e}})
		add("retype", "to an empty object", strictjson.Value{Kind: strictjson.Object})
		if n > 0 {
			add("replace", "by the one before it", v.Elements[n-1])
		}
	}
	return all
}
