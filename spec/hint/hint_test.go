package hint

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
)

// response is an error response of a framework, as a real service sent it.
func response(status int, media, body string, header ...string) []exchange.Exchange {
	h := http.Header{"Content-Type": {media}}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return []exchange.Exchange{{}, {Response: &exchange.Response{Status: status, Header: h, Body: exchange.Body(body)}}}
}

// TestSeen: each stack with marks is told by a response of its own, and a response of the service's own tells nothing.
func TestSeen(t *testing.T) {
	const text, html, json = "text/plain; charset=utf-8", "text/html; charset=utf-8", "application/json; charset=utf-8"
	own := `{"code":"not_found","message":"Not Found","status":404}`
	told := map[string]bool{}
	for _, row := range []struct {
		want, by string
		all      []exchange.Exchange
	}{
		{"Express", "X-Powered-By: Express", response(200, json, "[]", "X-Powered-By", "Express")},
		{"Express", "its HTML page", response(404, html, "<body>\n<pre>Cannot GET /v1/x</pre>\n</body>")},
		{"NestJS", "the body of its 404", response(404, json, `{"message":"Cannot GET /v1/x","error":"Not Found","statusCode":404}`, "X-Powered-By", "Express")},
		{"Fastify", "the body of its errors", response(404, json, `{"message":"Route GET:/v1/x not found","error":"Not Found","statusCode":404}`)},
		{"Hono", "its 404", response(404, "text/plain; charset=UTF-8", "404 Not Found")},
		{"Hono", "the errors of its bearerAuth", response(400, "text/plain; charset=UTF-8", "Bad Request", "WWW-Authenticate", `Bearer error="invalid_request"`)},
		{"Hono", "the errors of its bearerAuth", response(401, "text/plain; charset=UTF-8", "Unauthorized", "WWW-Authenticate", `Bearer realm=""`)},
		{"Koa", "its 404", response(404, text, "Not Found", "Keep-Alive", "timeout=5")},
		{"Django REST framework", "the body of its errors", response(403, json, `{"detail":"Authentication credentials were not provided."}`)},
		{"aiohttp", "Server: Python/3.11 aiohttp/3.8.4", response(404, text, "404: Not Found", "Server", "Python/3.11 aiohttp/3.8.4")},
		{"FastAPI", "the body of its errors", response(422, json, `{"detail":[{"type":"missing","loc":["body","name"]}]}`)},
		{"FastAPI", "Server: uvicorn", response(200, json, "[]", "Server", "uvicorn")},
		{"Python", "Server: BaseHTTP/0.6 Python/", response(200, json, "[]", "Server", "BaseHTTP/0.6 Python/3.12.3")},
		{"Flask", "Werkzeug's page", response(404, html, "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL")},
		{"Flask", "Server: Werkzeug/", response(200, json, "[]", "Server", "Werkzeug/3.1.3 Python/3.12")},
		{"Django", "its HTML page", response(404, html, "<h1>Not Found</h1><p>The requested resource was not found on this server.</p>")},
		{"Gin", "its 404", response(404, "text/plain", "404 page not found")},
		{"Go's net/http", "http.NotFound's text", response(404, text, "404 page not found\n")},
		{"Go's net/http", "http.Error's text", response(401, text, "missing key\n", "X-Content-Type-Options", "nosniff")},
		{"Go", "an error of encoding/json", response(400, json, `{"error":"json: cannot unmarshal array into Go value of type main.NewPet"}`)},
		{"Echo", "the body of its errors", response(404, json, `{"message":"Not Found"}`+"\n")},
		{"Fiber", "its 404", response(404, text, "Cannot GET /v1/x")},
		{"Sinatra", "its 404", response(404, html, "<h1>Not Found</h1>", "X-Cascade", "pass")},
		{"Mojolicious", "Server: Mojolicious", response(200, json, "[]", "Server", "Mojolicious (Perl)")},
		{"PHP", "X-Powered-By: PHP/", response(200, json, "[]", "X-Powered-By", "PHP/8.3.6")},
		{"", "", response(401, json, `{"message":"Unauthorized"}`)},
		{"", "", response(404, "text/plain", "Not Found")},
		{"", "", response(404, text, "Not Found")}, // of Fiber 3, too
		{"", "", response(401, text, "Unauthorized", "WWW-Authenticate", "Bearer")},
		{"", "", response(404, json, own)},
		{"", "", response(200, text, "404 page not found")},
		{"", "", response(404, text, "There is no such page.\n")},
		{"", "", response(404, json, own, "Server", "nginx")},
		{"", "", nil},
	} {
		got := Seen(row.all)
		if got == nil {
			got = &Sign{}
		}
		if told[got.Stack] = true; *got != (Sign{row.want, row.by}) {
			t.Errorf("%+v; %s by %q is wanted", *got, row.want, row.by)
		}
	}
	for _, s := range Stacks() {
		if len(s.Marks) > 0 && !told[s.Name] {
			t.Errorf("no response tells %s", s.Name)
		}
	}
}

// TestTable: each row is about musts and shoulds that exist, and is one or two lines that claim nothing.
func TestTable(t *testing.T) {
	words := map[string]bool{}
	rows := slices.Clone(theTable().Usual)
	for _, s := range Stacks() {
		if rows = append(rows, s.Rows...); words[s.For] || s.For == "" || len(s.Rows) == 0 {
			t.Errorf("%s: the word %q is empty or a duplicate, or it has no rows", s.Name, s.For)
		}
		words[s.For] = true
	}
	for _, r := range rows {
		for _, id := range r.Breaks {
			if q, found := spec.TheLedger().Find(id); !found || q.Level == spec.Open {
				t.Errorf("%q: %s cannot be broken", r.Wrong, id)
			}
		}
		if r.Wrong == "" || strings.HasSuffix(r.Wrong, ".") || !strings.HasSuffix(r.Mend, ".") || len(r.Wrong+r.Mend) > 260 {
			t.Errorf("not a phrase and a sentence of at most 260 characters: %q, %q", r.Wrong, r.Mend)
		}
	}
}

// TestOf: what the finding shows comes before what is known of the stack in general, and both before the ledger's hint.
func TestOf(t *testing.T) {
	express := &Sign{"Express", "X-Powered-By: Express"}
	ledger, _ := spec.TheLedger().Find("LIST-5")
	for _, row := range []struct {
		id                        spec.ID
		message, expected, actual string
		sign                      *Sign
		want                      string
	}{
		{"LIST-5", "", "20 animals", "10 animals", express, ledger.Hint},
		{"CREATE-3", "", "the number 9007199254740993, as it was sent", "the number 9007199254740992", nil, "Usually the service reads JSON numbers as doubles"},
		{"CREATE-3", "", "the number 9007199254740993, as it was sent", "the number 9007199254740992", express, "Usually express.json() reads"},
		{"CREATE-6", "", "status 400", "status 422: {}", nil, "Usually 422 is what"},
		{"CREATE-6", "", "status 400", "status 201: {}", &Sign{"Gin", "its 404"}, "Usually encoding/json"},
		{"ERROR-2", "", "an Error", `code is missing: {"error":"no"}`, express, "Usually handlers write an object of their own"},
		{"ERROR-2", "", "an Error", "<!DOCTYPE html>", express, "Usually express.json()"},
		{"ERROR-1", "", "application/json", "Content-Type: text/html: <style>a{}", express, "Usually express.json()"},
		{"ERROR-1", "", "application/json", "Content-Type: text/plain; charset=UTF-8: Too many requests, please try again later.", nil, "Usually the 429 has the text of a limiter's"},
		{"ERROR-1", "", "application/json", "Content-Type: text/plain; charset=utf-8: Limit exceeded", &Sign{"Gin", "its 404"}, "Usually the 429 of ulule/limiter"},
		{"CREATE-11", "", "status 400 or 415", "status 500: <!DOCTYPE html>", express, "Usually express.json() leaves req.body undefined"},
		{"CREATE-11", "", "status 400", "status 201: {}", express, "Usually the parser is lenient"},
		{"CREATE-8", "POST /pets (array)", "status 400", "status 201: {}", express, "Usually a test like if (!body.name)"},
		{"CREATE-10", "POST /pets (empty)", "status 400", "status 201: {}", express, "Usually a test like if (body.status"},
		{"CREATE-10", "POST /pets (array)", "status 400", "status 201: {}", express, "Usually the status is not checked, or it is converted first"},
		{"CREATE-10", "POST /pets (unheard-of)", "status 400", `status 200: {"code":"status_invalid","message":"no","status":400}`, nil, "Usually the Error body is written without a status"},
		{"CREATE-3", "", "the number 9007199254740993, as it was sent", "the number 1", express, "Usually the column or the variable has 32 bits"},
		{"CREATE-5", "the id of a new animal", "an id that no other animal has", "9007199254740992, which exchange 4 got too", nil, "Usually ids beyond 2^53 are rounded"},
		{"GET-1", "GET /pets/9007199254740993", "animal 9007199254740993, which exchange 3 created 1s before", "status 404: {}", nil, "Usually the petId is read as a double"},
		{"LIST-11", "GET /pets?limit=100", "60 animals, among them animal 51, which exchange 60 created 3s before", "50 animals without it", nil, "Usually pages have a maximum below the limit"},
		{"LIST-1", "a listing that the interface allows: /pets", "200", "500: {}", nil, "Usually an exception is not handled"},
		{"AUTH-3", "GET /pets (empty)", "status 401", "status 500: {}", nil, "Usually the check of the key raises an exception"},
		{"AUTH-3", "GET /pets (empty)", "status 401", "status 302: an empty body", nil, "Usually the middleware redirects"},
		{"ERROR-2", "the body of a 401", "an Error", "an empty body", nil, "Usually the status is set, and no body is written"},
		{"ERROR-2", "the body of a 400", "an Error", "an empty body", &Sign{"Gin", "its 404"}, "Usually BindJSON answers 400 with an empty body"},
		{"ERROR-2", "the body of a 404", "an Error", `code is missing, status is missing: {"message":"no","statusCode":404}`, &Sign{"NestJS", "the body of its 404"}, "Usually its exceptions"},
		{"ERROR-4", "the 404 to GET /x", "an Error", "code is missing, status is missing", &Sign{"Echo", "the body of its errors"}, "Usually its errors"},
		{"ERROR-1", "the media type of a 404", "application/json", `Content-Type: text/html; charset=utf-8: {"code":"not_found"}`, express, "Usually the header is set after the status is written"},
		{"ERROR-2", "the body of a 404", "an Error", "not UTF-8: \x1f\ufffd\b\x00", nil, "Usually the body is compressed with gzip"},
		{"SERVICE-2", "the body of a success", "one JSON value", `the text ends before the value: [{"id":1`, nil, "Usually Content-Length is less than the bytes"},
		{"SERVICE-2", "the body of a success", "one JSON value", `invalid character 'N' at start of value after offset 40: [{"id":NaN`, &Sign{"aiohttp", ""}, "Usually json.loads takes NaN"},
		{"SERVICE-2", "the body of a success", "one JSON value", `text after the value, at byte 9: [{"id":1}]x`, &Sign{"aiohttp", ""}, "Usually two places write a body"},
		{"CREATE-9", "POST /pets (true)", "status 400", "status 201: {}", &Sign{"Python", ""}, "Usually int() takes"},
		{"SERVICE-3", "the response to GET /pets", "a complete HTTP response", "undecodable: the body does not decode as gzip: unexpected EOF", nil, "Usually a middleware, a cache or a proxy declares"},
		{"ERROR-1", "the media type of a 404", "application/json", `Content-Type: text/plain; charset=utf-8: {"code":"not_found"}`, &Sign{"Go's net/http", "http.NotFound's text"}, "Usually w.WriteHeader or w.Write comes before"},
		{"ERROR-1", "the media type of a 404", "application/json", "Content-Type: text/plain; charset=utf-8: 404 page not found", &Sign{"Go's net/http", "http.NotFound's text"}, "Usually http.Error"},
		{"CREATE-8", "", "status 400", `status 500: {"code":"500"}`, &Sign{"FastAPI", "Server: uvicorn"}, "Usually an exception of json.loads"},
		{"PET-2", "", "a name, a string", "an array of 1", nil, "Usually createPet stored"},
		{"PET-3", "", "an int64, written as a whole number", "the number 9223372036854776000", express, "Usually express.json() reads"},
		{"AUTH-4", "", "status 401", "status 400: Bad Request", &Sign{"Hono", "its 404"}, "Usually bearerAuth"},
		{"AUTH-4", "", "status 401", "status 200: []", &Sign{"Hono", "its 404"}, "Usually header.split"},
		{"LIST-1", "", "status 200", "status 404: no", nil, "Usually no route leads to listPets"},
		{"RATE-5", "", "whole seconds", "no Retry-After", nil, "Usually the limiter's own 429"},
		{"RATE-14", "", "a success", "503, in 7 independent cases", nil, "Usually 503 is the status of a limiter"},
		{"RATE-14", "", "a success", "403, in 7 independent cases", nil, "Usually a firewall, a proxy"},
		{"RATE-6", "a request beyond the plan's 60 a minute", "429", "403, in 2 independent cases", nil, "Usually the limiter, or what limits"},
		{"RATE-5", "Retry-After of a 429", "whole seconds", `"2000", a thousand times the time to X-RateLimit-Reset`, nil, "Usually the header has milliseconds"},
		{"RATE-5", "Retry-After of a 429", "whole seconds", `"1795799478"`, nil, "Usually the header has a Unix time"},
		{"RATE-5", "Retry-After of a 429", "whole seconds", `"-1"`, nil, "Usually the header is the time of a reset"},
		{"RATE-5", "Retry-After of a 429", "whole seconds", `"3s"`, nil, "Usually the header has a duration"},
		{"RATE-9", "X-RateLimit-Reset", "the time at which the limit resets", "5h0m3s after Date, but 59 of 60 requests were left", nil, "Usually a local time"},
		{"LIST-1", "GET /pets (no-parameters)", "status 200", "status 301: an empty body", nil, "Usually the router, or what stands"},
		{"CREATE-9", "POST /pets (array)", "status 400", "status 201: {}", nil, "Usually an array of one value"},
		{"CREATE-10", "POST /pets (with-a-space)", "status 400", "status 201: {}", nil, "Usually the status is trimmed"},
		{"CREATE-11", "POST /pets (form)", "status 400 or 415", "status 201: {}", nil, "Usually a parser of forms"},
		{"CREATE-3", "the status of the Pet in a 201", `the string "pending", as it was sent`, `the string "available"`, nil, "Usually the status of the request"},
		{"CREATE-5", "the id of a new animal", "an id that no other animal has", "0, which exchange 3 got too", nil, "Usually the id is read before"},
		{"CREATE-1", "POST /pets (charset)", "status 201", "status 415: {}", nil, "Usually the whole Content-Type"},
		{"AUTH-3", "GET /pets?limit=5 (with-a-filter, swapped-case)", "status 401", "status 200: []", nil, "Usually keys are compared without"},
		{"AUTH-3", "GET /pets/4 (with-space)", "status 401", "status 404: {}", nil, "Usually the wrong key is accepted"},
		{"GET-3", "GET /pets/12 (early)", "status 404", `status 200: {"id":0,"name":""}`, nil, "Usually a lookup without a result"},
		{"SERVICE-2", "the body of a success", "one JSON value", "invalid character '<' at start of value: <!DOCTYPE html>", nil, "Usually a page is made for people"},
		{"RATE-14", "", "60 served", "429 after 12, 12", nil, "Usually the burst"},
		{"RATE-14", "", "60 accepted", "overload 1: 75 accepted in 0.1 s, and a 429", nil, "Usually requests that arrive at the same time"},
		{"RATE-14", "", "at most 61 accepted", "overload 1: 122 accepted in 0.1 s, and no 429", nil, "Usually no limit is in force"},
		{"RATE-3", "", "the Unix time", "60, 1763942400 s before the response", nil, "Usually the header has the seconds"},
		{"ERROR-2", "the body of a 500", "an Error", "no body", &Sign{"PHP", "X-Powered-By: PHP/"}, "Usually a value that the handler does not expect"},
		{"ERROR-2", "the body of a 404", "an Error", `code is missing: {"detail":"Not Found"}`, &Sign{"FastAPI", "Server: uvicorn"}, "Usually HTTPException"},
	} {
		if got := Of(row.id, row.message, row.expected, row.actual, row.sign); !strings.HasPrefix(got, row.want) || got == "" {
			t.Errorf("%s: %q; %q is wanted", row.id, got, row.want)
		}
	}
}
