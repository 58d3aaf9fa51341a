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
func ofHeaders(x exchange.Exchange) []Alteration {
	h := x.Response.Header
	all := []Alteration{header("add header", "X-Request-Id", "that nothing names", "a7")}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if name == "Content-Type" || len(h[name]) == 0 {
			continue
		}
		value := h[name][0]
		all = append(all, header("drop header", name, ""), header("replace header", name, "by nothing", ""),
			header("replace header", name, "by a word", "soon"), header("duplicate header", name, "with the same value", value, value),
			header("duplicate header", name, "with another value", value, "0"+value+"7"),
			header("truncate header", name, "by half", value[:len(value)/2]), renamed("rename header", name, "X-Old-"+name))
		all = append(all, shifted(name, value)...)
	}
	return all
}

// shifted gives other values to a header that is a number or a date.
func shifted(name, value string) (all []Alteration) {
	if at, err := http.ParseTime(value); err == nil {
		for _, d := range []time.Duration{time.Second, 24 * time.Hour, -24 * time.Hour, 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour} {
			all = append(all, header("shift header", name, "by "+d.String(), at.Add(d).UTC().Format(http.TimeFormat)))
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
		all = append(all, header("shift header", name, "by "+strconv.FormatInt(by, 10), sign+strconv.FormatInt(n+by, 10)))
	}
	return append(all, header("retype header", name, "to a fraction", value+".5"), header("retype header", name, "to an exponent", value+"e0"),
		header("retype header", name, "with a plus", sign+"+"+digits), header("shift header", name, "to milliseconds", value+"000"),
		header("shift header", name, "to its opposite", sign+strconv.FormatInt(-n, 10)),
		header("shift header", name, "beyond int64", sign+"9223372036854775808"))
}

// ofMediaType alters the declared media type.
func ofMediaType(x exchange.Exchange) []Alteration {
	const name = "Content-Type"
	if x.Response.Header.Get(name) == "" {
		return nil
	}
	set := func(do, how string, values ...string) Alteration {
		return header(do+" media type", name, how, values...)
	}
	all := []Alteration{
		set("drop", ""), renamed("rename media type", name, "Content_type"), set("truncate", "by half", "applicat"),
		set("duplicate", "with the same value", "application/json", "application/json"),
		set("duplicate", "with another value", "application/json", "text/html"),
		set("replace", "by one with charset", "application/json; charset=utf-8"),
		set("replace", "by capitals", "Application/JSON"), set("replace", "by nothing", ""),
	}
	for _, other := range []string{"text/plain", "text/html; charset=utf-8", "application/problem+json", "application/vnd.api+json",
		"text/json", "application/octet-stream", "application/x-ndjson", "application/jsonp"} {
		all = append(all, set("replace", "by "+other, other))
	}
	return all
}
