package altered

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/strictjson"
)

// statuses are what services answer with.
var statuses = []int{200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 403, 404, 405, 409, 410, 415, 422, 429, 500, 501, 502, 503}

// ofStatus gives the answer each other status: alone, and as a service would that meant it, with an Error that says the same.
func ofStatus(rec *exchange.Recording, i int) []Alteration {
	was := rec.Exchanges[i].Response.Status
	var all []Alteration
	for _, s := range statuses {
		if s == was {
			continue
		}
		all = append(all, onResponse(Replace, Status, strconv.Itoa(was), fmt.Sprintf("by %d", s), func(r *exchange.Response) { r.Status = s }))
		if s >= 400 {
			all = append(all, onResponse(Replace, Answer, strconv.Itoa(was), fmt.Sprintf("by an Error of %d", s), asError(s)))
		}
	}
	return append(all, onResponse(Shift, Status, strconv.Itoa(was), "by 1", func(r *exchange.Response) { r.Status++ }))
}

func asError(status int) func(r *exchange.Response) {
	return func(r *exchange.Response) {
		r.Status = status
		r.Body = fmt.Appendf(nil, `{"code":"refused","message":%q,"status":%d}`, http.StatusText(status), status)
		r.Header["Content-Type"] = []string{"application/json"}
		if status == http.StatusTooManyRequests {
			r.Header["Retry-After"] = []string{"1"}
		}
		if status == http.StatusUnauthorized {
			r.Header["Www-Authenticate"] = []string{"Bearer"}
		}
	}
}

// ofAnswer loses the answer, or takes it from another exchange.
func ofAnswer(rec *exchange.Recording, i int) []Alteration {
	lost := func(kind exchange.Kind, detail string) Alteration {
		return Alteration{Kind: Drop, Part: Answer, How: "(" + string(kind) + ")", apply: func(x *exchange.Exchange) {
			x.Response, x.Failure = nil, &exchange.Failure{Kind: kind, Detail: detail}
		}}
	}
	all := []Alteration{
		lost(exchange.Closed, "EOF"), lost(exchange.Timeout, "no answer in time"), lost(exchange.NotHTTP, "malformed HTTP response"),
	}
	for _, j := range others(rec, i) {
		from := rec.Exchanges[j]
		all = append(all, Alteration{Kind: Swap, Part: Body, How: fmt.Sprintf("with that of exchange %d", j+1),
			apply: func(x *exchange.Exchange) { x.Response.Body = from.Response.Body }})
		all = append(all, Alteration{Kind: Swap, Part: Answer, How: fmt.Sprintf("with that of exchange %d", j+1),
			apply: func(x *exchange.Exchange) { x.Response = from.Response }})
	}
	return all
}

// others chooses exchanges to swap with: the next of each operation, of which one succeeded and one failed.
func others(rec *exchange.Recording, i int) []int {
	seen := map[string]bool{}
	var out []int
	for step := 1; step < len(rec.Exchanges); step++ {
		j := (i + step) % len(rec.Exchanges)
		y := rec.Exchanges[j]
		if y.Response == nil {
			continue
		}
		word := fmt.Sprint(y.Operation, y.Response.Status/100)
		if !seen[word] {
			seen[word] = true
			out = append(out, j)
		}
	}
	return out
}

// ofBody alters the body as a whole.
func ofBody(rec *exchange.Recording, i int) []Alteration {
	body := string(rec.Exchanges[i].Response.Body)
	if body == "" {
		return nil
	}
	set := func(k Kind, how, to string) Alteration {
		return onResponse(k, Body, "", how, func(r *exchange.Response) { r.Body = exchange.Body(to) })
	}
	all := []Alteration{
		set(Drop, "", ""), set(Truncate, "by half", body[:len(body)/2]), set(Truncate, "by one byte", body[:len(body)-1]),
		set(Duplicate, "", body+body), set(Add, "text behind it", body+" ok"), set(Add, "a byte order mark", "\ufeff"+body),
		set(Add, "white space around it", "\n  "+body+"\r\n"), set(Add, "a comma behind it", body+","),
		set(Add, "a guard before it", ")]}',\n"+body), set(Add, "a byte that is no UTF-8", strings.Replace(body, `"`, "\"\xff", 1)),
		set(Retype, "to null", "null"), set(Retype, "to an empty object", "{}"), set(Retype, "to an empty array", "[]"),
		set(Retype, "to a string", strconv.Quote("ok")), set(Retype, "to a number", "7"), set(Retype, "to true", "true"),
		set(Retype, "to an envelope", `{"data":`+body+`,"total":1}`), set(Retype, "to an array of itself", "["+body+"]"),
		set(Retype, "to a page", "<html><body>ok</body></html>"), set(Retype, "to its own text", strconv.Quote(body)),
	}
	v, err := strictjson.Parse([]byte(body))
	if err != nil {
		return all
	}
	return append(all, set(Reorder, "its members", string(strictjson.Append(nil, reversed(v, strictjson.Object)))),
		set(Reorder, "its elements", string(strictjson.Append(nil, reversed(v, strictjson.Array)))))
}

// reversed returns v with the order of all its objects' members, or of all its arrays' elements, reversed.
func reversed(v strictjson.Value, kind strictjson.Kind) strictjson.Value {
	v.Members, v.Elements = slices.Clone(v.Members), slices.Clone(v.Elements)
	for i := range v.Members {
		v.Members[i].Value = reversed(v.Members[i].Value, kind)
	}
	for i := range v.Elements {
		v.Elements[i] = reversed(v.Elements[i], kind)
	}
	if kind == strictjson.Object {
		slices.Reverse(v.Members)
	} else {
		slices.Reverse(v.Elements)
	}
	return v
}
