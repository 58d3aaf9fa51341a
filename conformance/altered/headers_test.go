package altered

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/spec/exchange"
)

// ofHeaders alters each header but Content-Type, whose value ofMediaType knows more of.
func ofHeaders(rec *exchange.Recording, i int) []Alteration {
	h := rec.Exchanges[i].Response.Header
	all := []Alteration{onHeader(Add, Header, "X-Request-Id", "that nothing names", "a7")}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if name == "Content-Type" || len(h[name]) == 0 {
			continue
		}
		value := h[name][0]
		all = append(all, onHeader(Drop, Header, name, ""), onHeader(Replace, Header, name, "by nothing", ""),
			onHeader(Replace, Header, name, "by a word", "soon"), onHeader(Duplicate, Header, name, "with the same value", value, value),
			onHeader(Duplicate, Header, name, "with another value", value, "0"+value+"7"),
			onHeader(Truncate, Header, name, "by half", value[:len(value)/2]), renamed(Header, name, "X-Old-"+name))
		all = append(all, shifted(name, value)...)
	}
	return all
}

// shifted gives other values to a header that is a number or a date.
func shifted(name, value string) (all []Alteration) {
	if at, err := http.ParseTime(value); err == nil {
		for _, d := range []time.Duration{time.Second, 24 * time.Hour, -24 * time.Hour, 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour} {
			all = append(all, onHeader(Shift, Header, name, "by "+d.String(), at.Add(d).UTC().Format(http.TimeFormat)))
		}
		return all
	}
	digits := strings.TrimPrefix(value, "@")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil
	}
	sign := value[:len(value)-len(digits)]
	for _, by := range []int64{1, -1, 60, -60, 86400 * 3, -86400} {
		all = append(all, onHeader(Shift, Header, name, "by "+strconv.FormatInt(by, 10), sign+strconv.FormatInt(n+by, 10)))
	}
	return append(all, onHeader(Retype, Header, name, "to a fraction", value+".5"), onHeader(Retype, Header, name, "to an exponent", value+"e0"),
		onHeader(Retype, Header, name, "with a plus", sign+"+"+digits), onHeader(Shift, Header, name, "to milliseconds", value+"000"),
		onHeader(Shift, Header, name, "to its opposite", sign+strconv.FormatInt(-n, 10)),
		onHeader(Shift, Header, name, "beyond int64", sign+"9223372036854775808"))
}

// ofMediaType alters the declared media type.
func ofMediaType(rec *exchange.Recording, i int) []Alteration {
	const name = "Content-Type"
	if rec.Exchanges[i].Response.Header.Get(name) == "" {
		return nil
	}
	set := func(k Kind, how string, values ...string) Alteration {
		return onHeader(k, MediaType, name, how, values...)
	}
	all := []Alteration{
		set(Drop, ""), renamed(MediaType, name, "Content_type"), set(Truncate, "by half", "applicat"),
		set(Duplicate, "with the same value", "application/json", "application/json"),
		set(Duplicate, "with another value", "application/json", "text/html"),
		set(Replace, "by one with charset", "application/json; charset=utf-8"),
		set(Replace, "by capitals", "Application/JSON"), set(Replace, "by nothing", ""),
	}
	for _, other := range []string{"text/plain", "text/html; charset=utf-8", "application/problem+json", "application/vnd.api+json",
		"text/json", "application/octet-stream", "application/x-ndjson", "application/jsonp"} {
		all = append(all, set(Replace, "by "+other, other))
	}
	return all
}
