package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"petconform/reports/plain"
	"petconform/spec/verdict"
)

// mostDifferences are named; the first few tell what is wrong.
const mostDifferences = 20

// unjudgedMembers are members of the results that depend on the version of petconform and not on a recording.
var unjudgedMembers = []string{"schema", "interfaceVersion"}

// Differences names every place where results.json differs from what was judged from the recordings beside it.
func Differences(claimed, judged verdict.Results) []string {
	return differences(generic(claimed), generic(judged), mostDifferences)
}

func differences(claimed, judged any, most int) []string {
	var out []string
	walk("", claimed, judged, &out)
	if n := len(out); n > most {
		out = append(out[:most], fmt.Sprintf("%d more places differ", n-most))
	}
	return out
}

func generic(r verdict.Results) any {
	data, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	in := json.NewDecoder(strings.NewReader(string(data)))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		return err.Error()
	}
	return v
}

func walk(path string, a, b any, out *[]string) {
	if slices.Contains(unjudgedMembers, path) {
		return
	}
	if am, ok := a.(map[string]any); ok {
		if bm, ok := b.(map[string]any); ok {
			keys := maps.Clone(am)
			maps.Copy(keys, bm)
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				walk(strings.TrimPrefix(path+"."+k, "."), am[k], bm[k], out)
			}
			return
		}
	}
	if al, bl, ok := lists(a, b); ok {
		for i := range max(len(al), len(bl)) {
			walk(path+"["+nameOf(i, at(al, i), at(bl, i))+"]", at(al, i), at(bl, i), out)
		}
		return
	}
	if one, two := valueText(a), valueText(b); one != two {
		*out = append(*out, fmt.Sprintf("%s is %s, but %s in %s", path, two, one, ResultsFile))
	}
}

// lists takes a missing list for an empty one: Go writes either.
func lists(a, b any) (al, bl []any, ok bool) {
	al, aok := a.([]any)
	bl, bok := b.([]any)
	return al, bl, aok && bok || aok && b == nil || bok && a == nil
}

func at(list []any, i int) any {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// nameOf names an element by its id where it has one: checks[list-limit-default] is found, checks[17] is not.
func nameOf(i int, values ...any) string {
	for _, v := range values {
		if m, ok := v.(map[string]any); ok {
			if id, ok := m["id"].(string); ok {
				return id
			}
		}
	}
	return strconv.Itoa(i)
}

func valueText(v any) string {
	if v == nil {
		return "nothing"
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return plain.Clip(plain.Line(string(data)), 160)
}
