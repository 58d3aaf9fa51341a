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
func ofMembers(rec *exchange.Recording, i int) []Alteration {
	v, err := strictjson.Parse(rec.Exchanges[i].Response.Body)
	if err != nil {
		return nil
	}
	if v.Kind == strictjson.Object {
		return inObject(v, 0, func(changed strictjson.Value) strictjson.Value { return changed })
	}
	var all []Alteration
	for n, e := range v.Elements {
		if e.Kind != strictjson.Object {
			continue
		}
		all = append(all, inObject(e, n+1, func(changed strictjson.Value) strictjson.Value {
			whole := v
			whole.Elements = slices.Clone(v.Elements)
			whole.Elements[n] = changed
			return whole
		})...)
	}
	return all
}

// inObject alters one object; put sets it where it stood.
func inObject(o strictjson.Value, element int, put func(strictjson.Value) strictjson.Value) []Alteration {
	var all []Alteration
	add := func(k Kind, of, how string, members ...strictjson.Member) {
		all = append(all, Alteration{Kind: k, Part: Member, Of: of, How: how, Element: element, apply: func(x *exchange.Exchange) {
			x.Response.Body = strictjson.Append(nil, put(strictjson.Value{Kind: strictjson.Object, Members: members}))
		}})
	}
	for n, m := range o.Members {
		with := func(others ...strictjson.Member) []strictjson.Member {
			return slices.Concat(o.Members[:n], others, o.Members[n+1:])
		}
		add(Drop, m.Name, "", with()...)
		add(Duplicate, m.Name, "", with(m, m)...)
		for _, other := range []string{strings.ToUpper(m.Name), "_" + m.Name, m.Name + "s"} {
			add(Rename, m.Name, "to "+other, with(strictjson.Member{Name: other, Value: m.Value})...)
		}
		for _, c := range otherValues(m.Value) {
			add(c.kind, m.Name, c.how, with(strictjson.Member{Name: m.Name, Value: c.value})...)
		}
	}
	add(Add, "petconform", "that nothing names", slices.Concat(o.Members, []strictjson.Member{{Name: "petconform", Value: text("new")}})...)
	return all
}

type valueChange struct {
	kind  Kind
	how   string
	value strictjson.Value
}

func text(s string) strictjson.Value    { return strictjson.Value{Kind: strictjson.String, Text: s} }
func literal(s string) strictjson.Value { return strictjson.Value{Kind: strictjson.Number, Text: s} }

// otherValues returns other values for a value: of each other kind, and near ones of its own.
func otherValues(v strictjson.Value) []valueChange {
	all := []valueChange{
		{Retype, "to null", strictjson.Value{Kind: strictjson.Null}},
		{Retype, "to true", strictjson.Value{Kind: strictjson.Bool, Text: "true"}},
		{Retype, "to an array of itself", strictjson.Value{Kind: strictjson.Array, Elements: []strictjson.Value{v}}},
		{Retype, "to an object", strictjson.Value{Kind: strictjson.Object, Members: []strictjson.Member{{Name: "value", Value: v}}}},
	}
	switch v.Kind {
	case strictjson.Number:
		all = append(all, valueChange{Retype, "to a string", text(v.Text)}, valueChange{Retype, "to x.0", literal(v.Text + ".0")},
			valueChange{Retype, "to x.5", literal(v.Text + ".5")}, valueChange{Retype, "to an exponent", literal(v.Text + "e0")},
			valueChange{Shift, "beyond int64", literal("9223372036854775808")})
		if v.Text != "0" { // -0 is 0
			all = append(all, valueChange{Shift, "to its opposite", literal("-" + v.Text)})
		}
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil {
			return all
		}
		for _, by := range []int64{1, -1, 100, 1 << 32} {
			all = append(all, valueChange{Shift, fmt.Sprintf("by %d", by), literal(strconv.FormatInt(n+by, 10))})
		}
		if f := strconv.FormatFloat(float64(n), 'f', -1, 64); f != v.Text {
			all = append(all, valueChange{Shift, "to the nearest float64", literal(f)})
		}
	case strictjson.String:
		all = append(all, valueChange{Retype, "to a number", literal("7")}, valueChange{Replace, "by nothing", text("")},
			valueChange{Truncate, "by one letter", text(cut(v.Text))}, valueChange{Add, "a space", text(v.Text + " ")},
			valueChange{Replace, "in capitals", text(strings.ToUpper(v.Text))}, valueChange{Replace, "by another word", text("adopted")},
			valueChange{Replace, "by sold", text("sold")}, valueChange{Replace, "by available", text("available")})
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
func ofElements(rec *exchange.Recording, i int) []Alteration {
	v, err := strictjson.Parse(rec.Exchanges[i].Response.Body)
	if err != nil || v.Kind != strictjson.Array {
		return nil
	}
	var all []Alteration
	for n, e := range v.Elements {
		add := func(k Kind, how string, elements ...strictjson.Value) {
			whole := strictjson.Value{Kind: strictjson.Array, Elements: slices.Concat(v.Elements[:n], elements, v.Elements[n+1:])}
			all = append(all, Alteration{Kind: k, Part: Element, How: how, Element: n + 1, apply: func(x *exchange.Exchange) {
				x.Response.Body = strictjson.Append(nil, whole)
			}})
		}
		add(Drop, "")
		add(Duplicate, "", e, e)
		add(Retype, "to null", strictjson.Value{Kind: strictjson.Null})
		add(Retype, "to a string", text("pet"))
		add(Retype, "to an array", strictjson.Value{Kind: strictjson.Array, Elements: []strictjson.Value{e}})
		add(Retype, "to an empty object", strictjson.Value{Kind: strictjson.Object})
		if n > 0 {
			add(Replace, "by the one before it", v.Elements[n-1])
		}
	}
	return all
}
