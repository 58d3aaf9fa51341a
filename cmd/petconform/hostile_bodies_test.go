package main

import (
	"fmt"
	"net/http"
	"strings"

	"petconform/spec/verdict"
)

// bodyTargets try to take memory and disk.
func bodyTargets() []hostile {
	gz := func(body string) func(http.ResponseWriter, *http.Request) {
		return json200(body, "Content-Encoding", "gzip")
	}
	bomb := squeezed(strings.Repeat("\x00", 1<<20), 100)
	animal := `{"id":%d,"name":"Rex","categoryId":1,"status":"available"}`
	var many strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&many, ","+animal, i+1)
	}
	var members strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&members, `,"member-%d":%d`, i, i)
	}
	grow := func(text string) func(string) string {
		return func(body string) string { return strings.Replace(body, "{", "{"+text+",", 1) }
	}
	return []hostile{
		{name: "an endless body", want: verdict.Deviates, wrap: from(3, repeated(okHead+"\r\n[", strings.Repeat(`"`+strings.Repeat("x", 253)+`",`, 1<<8), 0)), says: "LIST-4"},
		{name: "an endless body of spaces", want: verdict.Deviates, wrap: always(repeated(okHead+"\r\n[", strings.Repeat(" ", 1<<15), 0))},
		{name: "a compressed bomb of NULs", want: verdict.Deviates, wrap: always(gz(bomb)), says: "AUTH-2"},
		{name: "a compressed bomb of brackets", want: verdict.Deviates, wrap: from(3, gz(squeezed(strings.Repeat("[", 1<<20), 100))), says: "AUTH-2"},
		{name: "a bomb within a bomb", want: verdict.Deviates, wrap: always(gz(squeezed(bomb, 1)))},
		{name: "1 MiB of NULs", want: verdict.Deviates, wrap: always(json200(strings.Repeat("\x00", 1<<20)))},
		{name: "1 MiB of <", want: verdict.Deviates, wrap: always(json200(`["` + strings.Repeat("<", 1<<20-10) + `"]`))},
		{name: "1 MiB of quotes", want: verdict.Deviates, wrap: always(json200(`["` + strings.Repeat(`\"`, 1<<19-10) + `"]`))},
		{name: "1 MiB of \\xff", want: verdict.Deviates, wrap: from(3, json200(strings.Repeat("\xff", 1<<20-10)))},
		{name: "1 MiB of empty objects", want: verdict.Deviates, wrap: always(json200("[" + strings.Repeat("{},", 340_000) + "{}]"))},
		{name: "10,000 empty objects", want: verdict.Deviates, wrap: always(json200("[" + strings.Repeat("{},", 10_000) + "{}]"))},
		{name: "60,000 members in each body", want: verdict.NoVerdict, wrap: altered(grow(members.String()[1:]))},
		{name: "30,000 members in each body", want: verdict.NoVerdict, wrap: altered(grow(members.String()[1:430_000] + `0"`))},
		{name: "a listing of 30,000 animals", want: verdict.Deviates, wrap: always(json200("[" + many.String()[1:] + "]")), says: "LIST-4"},
		{name: "a listing of 4,000 animals", want: verdict.Deviates, wrap: always(json200("[" + many.String()[1:220_000] + "]"))},
		{name: "100,000 levels deep", want: verdict.Deviates, wrap: from(3, json200(strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))), says: "AUTH-2"},
		{name: "4,000 levels deep in each animal", want: verdict.Conforms, wrap: altered(grow(`"deep":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000)))},
		{name: "a number of 1 MB", want: verdict.NoVerdict, wrap: altered(grow(`"big":1` + strings.Repeat("0", 1_000_000)))},
		{name: "a name of 900 KB without a break", want: verdict.NoVerdict, wrap: altered(grow(`"long":"` + strings.Repeat("e\u0301", 300_000) + `"`))},
		{name: "1e999999999 as an id", want: verdict.Deviates, wrap: altered(func(body string) string { return strings.Replace(body, `"id":`, `"id":1e999999999,"was":`, 1) })},
	}
}
