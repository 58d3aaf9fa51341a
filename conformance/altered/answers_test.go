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
func ofStatus(x exchange.Exchange) (all []Alteration) {
	was := strconv.Itoa(x.Status())
	for _, s := range statuses {
		if s == x.Status() {
			continue
		}
		all = append(all, response("replace status", was, fmt.Sprintf("by %d", s), func(r *exchange.Response) { r.Status = s }))
		if s >= 400 {
			all = append(all, response("replace answer", was, fmt.Sprintf("by an Error of %d", s), asError(s)))
		}
	}
	return append(all, response("shift status", was, "by 1", func(r *exchange.Response) { r.Status++ }))
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
func ofAnswer(rec *exchange.Recording, i int) (all []Alteration) {
	for kind, detail := range map[exchange.Kind]string{exchange.Closed: "EOF", exchange.Timeout: "no answer in time", exchange.NotHTTP: "malformed HTTP response"} {
		all = append(all, Alteration{What: "drop answer", How: "(" + string(kind) + ")", apply: func(x *exchange.Exchange) {
			x.Response, x.Failure = nil, &exchange.Failure{Kind: kind, Detail: detail}
		}})
	}
	slices.SortFunc(all, func(a, b Alteration) int { return strings.Compare(a.How, b.How) })
	for _, j := range others(rec, i) {
		from, how := rec.Exchanges[j].Response, fmt.Sprintf("with that of exchange %d", j+1)
		all = append(all, body("swap body", "", how, func() []byte { return from.Body }),
			Alteration{What: "swap answer", How: how, apply: func(x *exchange.Exchange) { x.Response = from }})
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
func ofBody(x exchange.Exchange) []Alteration {
	was := string(x.Response.Body)
	if was == "" {
		return nil
	}
	set := func(do, how, to string) Alteration {
		return body(do+" body", "", how, func() []byte { return []byte(to) })
	}
	all := []Alteration{
		set("drop", "", ""), set("truncate", "by half", was[:len(was)/2]), set("truncate", "by one byte", was[:len(was)-1]),
		set("duplicate", "", was+was), set("add", "text behind it", was+" ok"), set("add", "a byte order mark", "\ufeff"+was),
		set("add", "white space around it", "\n  "+was+"\r\n"), set("add", "a comma behind it", was+","),
		set("add", "a guard before it", ")]}',\n"+was), set("add", "a byte that is no UTF-8", strings.Replace(was, `"`, "\"\xff", 1)),
		set("retype", "to null", "null"), set("retype", "to an empty object", "{}"), set("retype", "to an empty array", "[]"),
		set("retype", "to a string", strconv.Quote("ok")), set("retype", "to a number", "7"), set("retype", "to true", "true"),
		set("retype", "to an envelope", `{"data":`+was+`,"total":1}`), set("retype", "to an array of itself", "["+was+"]"),
		set("retype", "to a page", "<html><body>ok</body></html>"), set("retype", "to its own text", strconv.Quote(was)),
	}
	if v, err := strictjson.Parse([]byte(was)); err == nil {
		all = append(all, set("reorder", "its members", string(strictjson.Append(nil, reversed(v, strictjson.Object)))),
			set("reorder", "its elements", string(strictjson.Append(nil, reversed(v, strictjson.Array)))))
	}
	return all
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
