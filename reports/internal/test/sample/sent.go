package sample

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// send records one plausible exchange and gives its number.
func (r *Run) send(check, step string, op spec.Operation) int {
	n := len(r.Recording.Exchanges) + 1
	x := exchange.Exchange{N: n, Check: check, Step: step, Operation: op, Auth: exchange.Key, Attempt: 1,
		Sent: Start.Add(time.Duration(n) * 15 * time.Millisecond), FirstByte: time.Duration(3+n%7) * time.Millisecond, Done: time.Duration(4+n%7) * time.Millisecond,
		Request: exchange.Request{Method: "GET", Path: "/pets?limit=20", Header: http.Header{"Accept": {"application/json"},
			"User-Agent": {"petconform/0.3.0 (" + check + ")"}}}}
	status, body := 200, `[{"id":9007199254740993,"name":"pc-r-7f3a-1","categoryId":1,"status":"available"},{"id":9007199254740994,"name":"Zoë 🐢","categoryId":2}]`
	switch op {
	case spec.CreatePet:
		x.Request.Method, x.Request.Path = "POST", "/pets"
		x.Request.Header.Set("Content-Type", "application/json")
		x.Request.Body = exchange.Body(fmt.Sprintf(`{"name":"pc-r-7f3a-%d","categoryId":1}`, n))
		status, body = 201, fmt.Sprintf(`{"id":%d,"name":"pc-r-7f3a-%d","categoryId":1,"status":"available"}`, 9007199254740992+n, n)
	case spec.GetPet:
		x.Request.Path = "/pets/9223372036854775807"
		status, body = 404, `{"code":"NOT_FOUND","message":"No animal has the id 9223372036854775807.","status":404}`
	case spec.StoreOrders:
		x.Request.Path = "/store/orders"
		status, body = 501, `{"code":"NOT_BUILT","message":"Orders are not built yet.","status":501}`
	}
	if strings.HasPrefix(check, "auth-") {
		x.Auth = exchange.DamagedKey
		status, body = 401, `{"code":"UNAUTHENTICATED","message":"The API key is missing or invalid.","status":401}`
	}
	x.Response = &exchange.Response{Status: status, Proto: "HTTP/1.1", Body: exchange.Body(body), Size: int64(len(body)), Header: http.Header{
		"Content-Type": {"application/json"}, "Date": {x.Sent.Format(http.TimeFormat)}, "X-Ratelimit-Limit": {"300"},
		"X-Ratelimit-Remaining": {fmt.Sprint(300 - n)}, "X-Ratelimit-Reset": {fmt.Sprint(Start.Unix() + 60)}}}
	r.Recording.Exchanges = append(r.Recording.Exchanges, x)
	return n
}

// Hostile strings, as a target may send them in any place that it fills.
var Hostile = []string{
	`<script>window.pwned=1</script>`,
	`"><img src=x onerror="window.pwned=1">`,
	`</pre></details></style><svg onload=window.pwned=1>`,
	`javascript:window.pwned=1`,
	"{{.}} ${7*7} `id` $(id) '; rm -rf / #",
	"]]><!-- --><![CDATA[ & &amp; \x00 \x1b[31mred\x1b[0m \u202eright to left\u202c",
	"| a | b |\n# h\n[x](https://attacker.example) @everyone ![i](https://attacker.example/i.png)",
}

// Foul is New with hostile strings wherever a target, or a name that someone chose, can put one.
func Foul() Run {
	r := New()
	all := strings.Join(Hostile, "\n")
	for i := range r.Recording.Exchanges {
		x := &r.Recording.Exchanges[i]
		x.Response.Body = exchange.Body(all)
		x.Response.Size = int64(len(all))
		x.Response.Proto = Hostile[0]
		x.Response.Header["X-"+Hostile[1]] = Hostile
		x.Step = Hostile[i%len(Hostile)]
	}
	for i := range r.Results.Checks {
		c := &r.Results.Checks[i]
		for j := range c.Findings {
			c.Findings[j].Message, c.Findings[j].Expected, c.Findings[j].Actual = all, all, all
		}
		c.Evidence, c.Reason = c.Evidence+all, all
	}
	for i := range r.Results.Observations {
		r.Results.Observations[i].Key, r.Results.Observations[i].Value = Hostile[i%len(Hostile)], all
	}
	for i := range r.Results.Created {
		r.Results.Created[i].Name = Hostile[i%len(Hostile)]
	}
	r.Results.Target.Build, r.Results.Target.Environment = Hostile[0], Hostile[1]
	r.Results.Target.URL = "https://pets.example/v1?" + Hostile[1]
	r.Results.Warnings = Hostile
	return r
}

// Many is a run of n active checks and of one failure in twenty.
func Many(n int) Run {
	r := New()
	for i := len(r.Results.Checks); i < n; i++ {
		c := *r.check("list-3")
		c.ID = fmt.Sprintf("many-%d", i)
		c.Exchanges = []int{r.send(c.ID, "one", spec.ListPets), r.send(c.ID, "two", spec.CreatePet)}
		r.Results.Checks = append(r.Results.Checks, c)
		if i%20 == 0 {
			r.fail(c.ID, "LIST-3", "GET /pets?limit=100", "status 200", "status 400")
		}
	}
	r.Results.Requests = len(r.Recording.Exchanges)
	return r
}
