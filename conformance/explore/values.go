package explore

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// names are the kinds of names that must be accepted, and oddNames those that a service may refuse. Most are made from
// a stem that no other request of the run has.
var names = []func(stem string) string{
	after(""),
	after(" Žofka Ωμέγα Барсик قطة 猫 🐈‍⬛"),
	after(` O'Brien "Rex" \ / <b>&amp; %20 ; -- {{7*7}} ${x}`),
	after(" Ame\u0301lie \u212Bngstro\u0308m"),
	after(" null true 1e3 0x10"),
	after(` \n \u0041 \\`),
	after(" a+b=c & d%2Be"),
	after(strings.Repeat("ab", 8)),
	long(32), long(33), long(63), long(64), long(65), long(100),
	wide(64, "é"),
}

var oddNames = []func(stem string) string{
	after(" one\nother"),
	after(" one\tother"),
	after(" "),
	after("  two"),
	after("\x00end"),
	after(" \u200d\u202e\u2028"),
	after(" 𝔓𝔢𝔱 \U0010FFFD"),
	func(string) string { return "null" },
	func(string) string { return "0123" },
	long(127), long(128), long(129), long(255), long(256), long(257), long(1000),
	wide(128, "🐕"),
}

func after(suffix string) func(string) string {
	return func(stem string) string { return stem + suffix }
}

// long pads the stem to n bytes.
func long(n int) func(string) string {
	return func(stem string) string { return stem + strings.Repeat("y", max(0, n-len(stem))) }
}

// wide pads the stem to n characters.
func wide(n int, with string) func(string) string {
	return func(stem string) string { return stem + strings.Repeat(with, max(0, n-utf8.RuneCountInString(stem))) }
}

// categories are the bounds of the integers that services may store.
var categories = []int64{0, -1, math.MaxInt8 + 1, math.MaxInt16 + 1, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MinInt32 - 1,
	math.MaxUint32, math.MaxUint32 + 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1), math.MaxInt64, math.MaxInt64 - 1,
	math.MinInt64, math.MinInt64 + 1}

// form is a way to write a NewPet. %n is the name, %c the category, %s the status.
type form struct{ with, without string }

var forms = []form{
	{`{"name":%n,"categoryId":%c,"status":%s}`, `{"name":%n,"categoryId":%c}`},
	{`{"status":%s,"categoryId":%c,"name":%n}`, `{"categoryId":%c,"name":%n}`},
	{"{\n  \"name\": %n,\n  \"categoryId\": %c,\n  \"status\": %s\n}\n", "{\n\t\"name\": %n,\r\n\t\"categoryId\": %c\r\n}"},
	{`{"\u006eame":%n,"category\u0049d":%c,"st\u0061tus":%s}`, `{"n\u0061me":%n,"c\u0061tegoryId":%c}`},
}

// openBodies may be accepted or refused.
var openBodies = []string{
	`{"name":"","categoryId":%c}`, `{"name":" ","categoryId":%c}`, `{"name":%n,"categoryId":%c,"status":null}`, `{"name":%n,"categoryId":%c.0}`,
	`{"name":%n,"categoryId":%ce0}`, `{"id":7,"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":%c,"tags":["a"],"owner":null}`,
	`{"name":%n,"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":-0}`,
	`{"name":%n,"categoryId":%c,"petconform":1e400}`, `{"name":%n,"categoryId":%c,"petconform":{"a":[{}]}}`,
}

var openQueries = []string{
	"limit=0", "limit=-1", "limit=101", "limit=1000000", "limit=9223372036854775808", "limit=", "limit=abc", "limit=10.0", "limit=%2B5", "limit=007",
	"limit=1&limit=2", "status=", "status=AVAILABLE", "status=available,sold", "status=available&status=sold",
	"limit=5&page=2", "LIMIT=3", "offset=1",
}

// stem is the beginning of a name: that of the n-th animal of a sequence.
func stem(run, sequence string, n int) string {
	return fmt.Sprintf("petconform-%s-x%s-%d", run, sequence, n)
}
