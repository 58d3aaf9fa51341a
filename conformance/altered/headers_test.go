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
	var all []Alteration
	add := func(k Kind, name, how string, values ...string) {
		all = append(all, onHeader(k, Header, name, how, func(h http.Header) {
			delete(h, name)
			if len(values) > 0 {
				h[name] = values
			}
		}))
	}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if name == "Content-Type" || len(h[name]) == 0 {
			continue
		}
		value := h[name][0]
		add(Drop, name, "")
		add(Replace, name, "by nothing", "")
		add(Replace, name, "by a word", "soon")
		add(Duplicate, name, "with the same value", value, value)
		add(Duplicate, name, "with another value", value, "0"+value+"7")
		add(Truncate, name, "by half", value[:len(value)/2])
		all = append(all, onHeader(Rename, Header, name, "", func(h http.Header) {
			h["X-Old-"+name] = h[name]
			delete(h, name)
		}))
		for _, s := range shifted(value) {
			add(s.kind, name, s.how, s.value)
		}
	}
	add(Add, "X-Request-Id", "that nothing names", "a7")
	return all
}

type change struct {
	kind  Kind
	how   string
	value string
}

// shifted returns other values of a header that is a number or a date.
func shifted(value string) []change {
	if at, err := http.ParseTime(value); err == nil {
		var all []change
		for _, d := range []time.Duration{time.Second, 24 * time.Hour, -24 * time.Hour, 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour} {
			all = append(all, change{Shift, "by " + d.String(), at.Add(d).UTC().Format(http.TimeFormat)})
		}
		return all
	}
	digits := strings.TrimPrefix(value, "@")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil
	}
	sign := value[:len(value)-len(digits)]
	all := []change{
		{Retype, "to a fraction", value + ".5"}, {Retype, "to an exponent", value + "e0"}, {Retype, "with a plus", sign + "+" + digits},
		{Shift, "to its opposite", sign + strconv.FormatInt(-n, 10)}, {Shift, "to milliseconds", value + "000"},
		{Shift, "beyond int64", sign + "9223372036854775808"},
	}
	for _, by := range []int64{1, -1, 60, -60, 86400 * 3, -86400} {
		all = append(all, change{Shift, "by " + strconv.FormatInt(by, 10), sign + strconv.FormatInt(n+by, 10)})
	}
	return all
}

// ofMediaType alters the declared media type.
func ofMediaType(rec *exchange.Recording, i int) []Alteration {
	const name = "Content-Type"
	if rec.Exchanges[i].Response.Header.Get(name) == "" {
		return nil
	}
	set := func(k Kind, how string, values ...string) Alteration {
		return onHeader(k, MediaType, name, how, func(h http.Header) { h[name] = values })
	}
	all := []Alteration{
		onHeader(Drop, MediaType, name, "", func(h http.Header) { delete(h, name) }),
		onHeader(Rename, MediaType, name, "", func(h http.Header) { h["Content_type"] = h[name]; delete(h, name) }),
		set(Truncate, "by half", "applicat"),
		set(Duplicate, "with the same value", "application/json", "application/json"),
		set(Duplicate, "with another value", "application/json", "text/html"),
		set(Replace, "by one with charset", "application/json; charset=utf-8"),
		set(Replace, "by capitals", "Application/JSON"),
		set(Replace, "by nothing", ""),
	}
	for _, other := range []string{"text/plain", "text/html; charset=utf-8", "application/problem+json", "application/vnd.api+json",
		"text/json", "application/octet-stream", "application/x-ndjson", "application/jsonp"} {
		all = append(all, set(Replace, "by "+other, other))
	}
	return all
}
