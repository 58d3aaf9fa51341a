package rules_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

var at = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// answer is a good answer to GET /pets, changed by headers written "Name: value"; "-Name" takes one away.
func answer(status int, body string, headers ...string) exchange.Exchange {
	return answerTo("GET", "/pets", status, body, headers...)
}

// refusal is an answer to a limit that may be refused.
func refusal(status int, body string, headers ...string) exchange.Exchange {
	return answerTo("GET", "/pets?limit=0", status, body, headers...)
}

func slow(took time.Duration, x exchange.Exchange) exchange.Exchange {
	x.FirstByte, x.Done = took, took
	return x
}

// failing is an answer that was not received, or not read, whole.
func failing(kind exchange.Kind, x exchange.Exchange) exchange.Exchange {
	x.Failure = &exchange.Failure{Kind: kind, Detail: "d"}
	return x
}

func answerTo(method, path string, status int, body string, headers ...string) exchange.Exchange {
	h := http.Header{
		"Date": {at.Format(http.TimeFormat)}, "Content-Type": {"application/json"}, "Www-Authenticate": {"Bearer"},
		"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"59"}, "X-Ratelimit-Reset": {fmt.Sprint(at.Add(time.Minute).Unix())},
	}
	for _, line := range headers {
		name, value, set := strings.Cut(line, ": ")
		if !set {
			h.Del(strings.TrimPrefix(line, "-"))
			continue
		}
		h.Set(name, value)
	}
	return exchange.Exchange{N: 1, Check: "test", Step: "step", Operation: spec.OperationOf(method, path), Auth: exchange.Key,
		Request: exchange.Request{Method: method, Path: path}, Sent: at, FirstByte: time.Millisecond, Done: time.Millisecond,
		Response: &exchange.Response{Status: status, Header: h, Body: exchange.Body(body)}}
}

// found returns the requirements that the rules find broken in some exchanges.
func found(t *testing.T, xs ...exchange.Exchange) []spec.ID {
	t.Helper()
	for i := range xs {
		xs[i].N = i + 1
	}
	h := history.Of(&exchange.Recording{Meta: exchange.Meta{Target: "http://host/v1"}, Exchanges: xs})
	checks, _ := rules.Judge(rules.All(), h)
	var ids []spec.ID
	for _, c := range checks {
		if (len(c.Findings) > 0) != (c.Verdict == verdict.Failed) {
			t.Errorf("%s is %s with %d findings", c.ID, c.Verdict, len(c.Findings))
		}
		for _, f := range c.Findings {
			ids = append(ids, f.Requirement)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

const anError = `{"code":"c","message":"m","status":400}`

// failed is a good answer with an error.
func failed(method, path string, status int, headers ...string) exchange.Exchange {
	return answerTo(method, path, status, fmt.Sprintf(`{"code":"c","message":"m","status":%d}`, status), headers...)
}

// tooMany is a good 429, but for the headers.
func tooMany(headers ...string) exchange.Exchange { return failed("GET", "/pets", 429, headers...) }

// created is a 201 to a createPet with a name, whose Pet has the name a?.
func created(name string) exchange.Exchange {
	x := answerTo("POST", "/pets", 201, `{"id":1,"name":"a?","categoryId":1,"status":"available"}`)
	x.Request.Body = exchange.Body(fmt.Sprintf(`{"name":"%s","categoryId":1,"status":"available"}`, name))
	return x
}

// TestAKeyThatIsBanned: a 401 after a 429 may be that of a ban, and one before is not.
func TestAKeyThatIsBanned(t *testing.T) {
	served, limited, refused := answerTo("GET", "/pets", 200, "[]"), tooMany("Retry-After: 30"), failed("GET", "/pets", 401)
	if got := found(t, served, limited, refused); got != nil {
		t.Errorf("a ban: found %v", got)
	}
	if got := found(t, served, refused, limited); !slices.Equal(got, []spec.ID{"AUTH-1"}) {
		t.Errorf("no ban: found %v", got)
	}
}

func TestRulesOnOneAnswer(t *testing.T) {
	gone := func(headers ...string) exchange.Exchange { return failed("GET", "/pets/1", 404, headers...) }
	reset := func(d time.Duration) string { return fmt.Sprintf("X-RateLimit-Reset: %d", at.Add(d).Unix()) }
	for _, c := range []struct {
		name string
		x    exchange.Exchange
		want []spec.ID
	}{
		{"an empty listing", answer(200, `[]`), nil},
		{"a charset", answer(200, `[]`, "Content-Type: application/json; charset=utf-8"), nil},
		{"a media type in capitals", answer(200, `[]`, "Content-Type: Application/JSON"), nil},
		{"another media type", answer(200, `[]`, "Content-Type: text/json"), []spec.ID{"SERVICE-1"}},
		{"no media type", answer(200, `[]`, "-Content-Type"), []spec.ID{"SERVICE-1"}},
		{"two values", answer(200, `[][]`), []spec.ID{"SERVICE-2"}},
		{"a byte order mark", answer(200, "\xef\xbb\xbf[]"), []spec.ID{"SERVICE-2"}},
		{"not UTF-8", answer(200, "[\"\xe9\"]"), []spec.ID{"SERVICE-2"}},
		{"null for a listing", answer(200, `null`), []spec.ID{"LIST-2"}},
		{"a wrapped listing", answer(200, `{"pets":[]}`), []spec.ID{"LIST-2"}},
		{"an empty body for a listing", answer(200, ``), []spec.ID{"LIST-2"}},
		{"a list of ids", answer(200, `[1]`), []spec.ID{"LIST-2"}},
		{"a Pet with more members", answer(200, `[{"id":9007199254740993,"name":"","categoryId":-1,"x":null}]`), nil},
		{"a fractional id", answer(200, `[{"id":1.0,"name":"a","categoryId":1}]`), []spec.ID{"PET-1"}},
		{"an exponent", answer(200, `[{"id":1e2,"name":"a","categoryId":1}]`), []spec.ID{"PET-1"}},
		{"an id beyond int64", answer(200, `[{"id":9223372036854775808,"name":"a","categoryId":1}]`), []spec.ID{"PET-1"}},
		{"a name that is null", answer(200, `[{"id":1,"name":null,"categoryId":1}]`), []spec.ID{"PET-2"}},
		{"no category", answer(200, `[{"id":1,"name":"a"}]`), []spec.ID{"PET-3"}},
		{"another name than was sent", created("ab"), []spec.ID{"CREATE-3"}},
		{"half of a surrogate pair replaced", created(`a\ud83d`), nil},
		{"a status that is null", answer(200, `[{"id":1,"name":"a","categoryId":1,"status":null}]`), []spec.ID{"PET-4"}},
		{"a status in capitals", answer(200, `[{"id":1,"name":"a","categoryId":1,"status":"SOLD"}]`), []spec.ID{"PET-4"}},
		{"an id twice", answer(200, `[{"id":1,"name":"a","categoryId":1},{"id":1,"name":"b","categoryId":1}]`), []spec.ID{"LIST-9"}},
		{"a member twice", answer(200, `[{"id":1,"id":1,"name":"a","categoryId":1}]`), []spec.ID{"SERVICE-4"}},
		{"more than the limit", answerTo("GET", "/pets?limit=1", 200, `[{"id":1,"name":"a","categoryId":1},{"id":2,"name":"b","categoryId":1}]`), []spec.ID{"LIST-4"}},
		{"another status than the filter's", answerTo("GET", "/pets?status=sold", 200, `[{"id":1,"name":"a","categoryId":1,"status":"pending"}]`), []spec.ID{"LIST-7"}},
		{"no status under a filter", answerTo("GET", "/pets?status=sold", 200, `[{"id":1,"name":"a","categoryId":1}]`), []spec.ID{"LIST-7"}},
		{"a listing that is not found", failed("GET", "/pets", 404), []spec.ID{"LIST-1"}},
		{"a limit that is not found", failed("GET", "/pets?limit=21", 404), []spec.ID{"LIST-3"}},
		{"a filter that is refused", failed("GET", "/pets?limit=100&status=sold", 400), []spec.ID{"LIST-6"}},
		{"a limit out of range that is refused", failed("GET", "/pets?limit=101&status=sold", 400), nil},
		{"a parameter of nobody's that is refused", failed("GET", "/pets?page=2", 400), nil},
		{"a filter that fails", failed("GET", "/pets?status=sold", 500), []spec.ID{"ERROR-7"}},
		{"a ban", failed("GET", "/pets", 403), nil},

		{"an Error", refusal(400, anError), nil},
		{"an Error as problem details", refusal(400, anError, "Content-Type: application/problem+json"), []spec.ID{"ERROR-1"}},
		{"a page for an Error", refusal(404, `<html>`, "Content-Type: text/html"), []spec.ID{"ERROR-1"}},
		{"no body for an Error", refusal(404, ``, "-Content-Type"), []spec.ID{"ERROR-2"}},
		{"an Error without its code", refusal(400, `{"message":"m","status":400}`), []spec.ID{"ERROR-2"}},
		{"an Error with its status as text", refusal(400, `{"code":"c","message":"m","status":"400"}`), []spec.ID{"ERROR-2"}},
		{"another status in the Error", refusal(404, anError), []spec.ID{"ERROR-3"}},
		{"an empty code", refusal(400, `{"code":" ","message":"m","status":400}`), []spec.ID{"ERROR-5"}},
		{"a server error", failed("GET", "/pets", 503), []spec.ID{"ERROR-7"}},
		{"an order that is not built", failed("GET", "/store/orders", 501), nil},
		{"a path of nobody's", answerTo("GET", "/nothing", 404, `nope`, "Content-Type: text/plain", "-X-RateLimit-Limit"), []spec.ID{"ERROR-4", "RATE-21"}},

		{"a header missing", answer(200, `[]`, "-X-RateLimit-Reset"), []spec.ID{"RATE-1"}},
		{"a word for Remaining", answer(200, `[]`, "X-RateLimit-Remaining: many"), []spec.ID{"RATE-2"}},
		{"a negative Remaining", answer(200, `[]`, "X-RateLimit-Remaining: -1"), []spec.ID{"RATE-2"}},
		{"more left than the limit", answer(200, `[]`, "X-RateLimit-Remaining: 61"), []spec.ID{"RATE-2"}},
		{"nothing left", answer(200, `[]`, "X-RateLimit-Remaining: 0"), nil},
		{"a Reset that is now", answer(200, `[]`, reset(0)), nil},
		{"a Reset at the end of the day", answer(200, `[]`, reset(24*time.Hour)), nil},
		{"a Reset in the past", answer(200, `[]`, reset(-time.Minute)), []spec.ID{"RATE-3"}},
		{"a Reset 2 s ago", answer(200, `[]`, reset(-2*time.Second)), nil},
		{"a Reset 3 s ago", answer(200, `[]`, reset(-3*time.Second)), []spec.ID{"RATE-3"}},
		{"a Reset 8 s ago", answer(200, `[]`, reset(-8*time.Second)), []spec.ID{"RATE-3"}},
		{"a Reset 8 s ago, in a response that took 10 s", slow(10*time.Second, answer(200, `[]`, reset(-8*time.Second))), nil},
		{"a Reset next month", answer(200, `[]`, reset(30*24*time.Hour)), []spec.ID{"RATE-3"}},
		{"a Reset in milliseconds", answer(200, `[]`, fmt.Sprintf("X-RateLimit-Reset: %d", at.UnixMilli())), []spec.ID{"RATE-3"}},
		{"a Reset that counts down", answer(200, `[]`, "X-RateLimit-Reset: 42"), []spec.ID{"RATE-3"}},
		{"a Reset as a date", answer(200, `[]`, "X-RateLimit-Reset: "+at.Format(time.RFC3339)), []spec.ID{"RATE-3"}},
		{"a Reset without a Date, clocks apart", answer(200, `[]`, "-Date", reset(-4*time.Minute)), nil},

		{"a 429", tooMany("Retry-After: 30"), nil},
		{"a 429 with a date", tooMany("Retry-After: " + at.Format(http.TimeFormat)), nil},
		{"a 429 without Retry-After", tooMany(), []spec.ID{"RATE-5"}},
		{"a 429 with seconds, beside a Reset", tooMany("Retry-After: 27900", reset(30*time.Second)), nil},
		{"a 429 with milliseconds", tooMany("Retry-After: 28100", reset(30*time.Second)), []spec.ID{"RATE-5"}},
		{"a 429 with more milliseconds", tooMany("Retry-After: 30900", reset(30*time.Second)), []spec.ID{"RATE-5"}},
		{"a 429 with more seconds", tooMany("Retry-After: 45000", reset(30*time.Second)), nil},
		{"a 429 with a Reset in milliseconds", tooMany("Retry-After: 4", fmt.Sprintf("X-RateLimit-Reset: %d", at.UnixMilli())), []spec.ID{"RATE-3"}},
		{"a 429 of a ban of three days", tooMany("Retry-After: 245760", reset(245760*time.Second)), nil},
		{"a 429 until 2026 in seconds", tooMany("Retry-After: 1795752388"), []spec.ID{"RATE-5"}},
		{"a 429 with a fraction", tooMany("Retry-After: 1.5"), []spec.ID{"RATE-5"}},

		{"a Sunset at the day's end", gone("Sunset: Thu, 05 Dec 2030 23:59:59 GMT"), nil},
		{"a Sunset in another zone", gone("Sunset: Wed, 04 Dec 2030 11:00:00 GMT"), nil},
		{"a Sunset a year early", gone("Sunset: Wed, 05 Dec 2029 00:00:00 GMT"), []spec.ID{"GET-4"}},
		{"a Sunset as an ISO day", gone("Sunset: 2030-12-05"), nil},
		{"a Sunset as an ISO time east of Greenwich", gone("Sunset: 2030-12-05T00:00:00+09:00"), nil},
		{"a Sunset in Unix seconds", gone("Sunset: @1922702400"), nil},
		{"a Sunset as an ISO day with month and day swapped", gone("Sunset: 2030-05-12"), []spec.ID{"GET-4"}},
		{"a Sunset that is no date", gone("Sunset: soon"), []spec.ID{"GET-4"}},
		{"a Deprecation as an ISO day", gone("Deprecation: 2026-01-01"), nil},
		{"a Deprecation", gone("Deprecation: @1735689600"), nil},
		{"a Deprecation after the removal", gone("Deprecation: @1955689600"), []spec.ID{"GET-4"}},

		{"another animal", answerTo("GET", "/pets/1", 200, `{"id":2,"name":"a","categoryId":1}`), []spec.ID{"GET-2"}},
		{"null for an animal", answerTo("GET", "/pets/1", 200, `null`), []spec.ID{"GET-2"}},
		// How much of an answer is read is our own bound, and no matter of the interface.
		{"a long answer", failing(exchange.TooLarge, answer(200, "[")), nil},
		{"an answer that is not HTTP", failing(exchange.NotHTTP, answer(200, "[")), []spec.ID{"SERVICE-3"}},
		{"an encoding that was not asked for", failing(exchange.Unasked, answer(200, "\x1b\x00", "Content-Encoding: br")), []spec.ID{"SERVICE-7"}},
		{"the key refused", failed("GET", "/pets", 401), []spec.ID{"AUTH-1"}},
		{"a 401 without a challenge", failed("GET", "/store/orders", 401, "-WWW-Authenticate"), []spec.ID{"AUTH-7"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(t, c.x); !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

// TestRetried: who waited for Retry-After is served, if nobody else of the key was. Fewer than three refusals of one call
// may be another client's doing, and show nothing.
func TestRetried(t *testing.T) {
	type sent struct {
		step            string
		attempt, status int
		at, retryAfter  time.Duration
	}
	for _, c := range []struct {
		name string
		all  []sent
		want []spec.ID
	}{
		{"served", []sent{{"a", 1, 429, 0, 2}, {"a", 2, 200, 3, 0}}, nil},
		{"refused thrice", []sent{{"a", 1, 429, 0, 2}, {"a", 2, 429, 3, 2}, {"a", 3, 429, 6, 2}, {"a", 4, 429, 9, 2}}, []spec.ID{"RATE-8"}},
		{"refused thrice, of 0", []sent{{"a", 1, 429, 0, 0}, {"a", 2, 429, 1, 0}, {"a", 3, 429, 2, 0}, {"a", 4, 429, 3, 0}}, []spec.ID{"RATE-8"}},
		{"three side by side", []sent{{"a", 1, 429, 0, 2}, {"b", 1, 429, 0, 2}, {"c", 1, 429, 0, 2},
			{"a", 2, 429, 3, 2}, {"b", 2, 429, 3, 2}, {"c", 2, 429, 3, 2}}, nil},
		{"refused once", []sent{{"a", 1, 429, 0, 2}, {"a", 2, 429, 3, 2}, {"a", 3, 200, 6, 0}}, nil},
		{"did not wait", []sent{{"a", 1, 429, 0, 9}, {"a", 2, 429, 3, 9}, {"a", 3, 429, 6, 9}}, nil},
		{"another one is served", []sent{{"a", 1, 429, 0, 1}, {"b", 1, 200, 2, 0}, {"a", 2, 429, 3, 1}, {"b", 2, 200, 5, 0}, {"a", 3, 429, 6, 1}}, nil},
	} {
		var all []exchange.Exchange
		for _, s := range c.all {
			x := answer(200, "[]")
			if s.status == 429 {
				x = tooMany("X-RateLimit-Remaining: 0", fmt.Sprintf("Retry-After: %d", s.retryAfter))
			}
			x.Step, x.Attempt, x.Sent = s.step, s.attempt, at.Add(s.at*time.Second)
			all = append(all, x)
		}
		if got := found(t, all...); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
		}
		checks, _ := rules.Judge(rules.All(), history.Of(&exchange.Recording{Exchanges: all}))
		i := slices.IndexFunc(checks, func(c verdict.Check) bool { return c.ID == "retried-is-served" })
		if passed := checks[i].Verdict == verdict.Passed; passed != (c.name == "served") {
			t.Errorf("%s: passed is %t", c.name, passed)
		}
	}
}

// A rule that had nothing to read says what the run lacks, in the words of this run if it has some.
func TestIdle(t *testing.T) {
	none := func(history.Exchange, *rules.Whole) {}
	whole := func(idle string) func(*history.History) rules.Whole {
		return func(*history.History) rules.Whole { return rules.Whole{Idle: idle} }
	}
	seen := func(values ...verdict.Observation) func(*history.History) []verdict.Observation {
		return func(*history.History) []verdict.Observation { return values }
	}
	h := history.Of(&exchange.Recording{Exchanges: []exchange.Exchange{answer(200, "[]")}})
	for _, c := range []struct {
		rule   rules.Rule
		want   verdict.Verdict
		reason string
	}{
		{rules.Rule{Each: none}, verdict.NotRun, "the run has no exchange that the rule applies to"},
		{rules.Rule{Each: none, Idle: "no cat"}, verdict.NotRun, "no cat"},
		{rules.Rule{Whole: whole(""), Idle: "no cat"}, verdict.NotRun, "no cat"},
		{rules.Rule{Whole: whole("one cat"), Idle: "no cat"}, verdict.NotRun, "one cat"},
		{rules.Rule{Observe: seen(), Idle: "no cat"}, verdict.NotRun, "no cat"},
		{rules.Rule{Observe: seen()}, verdict.Observed, ""},
		{rules.Rule{Observe: seen(verdict.Observation{Key: "cats"}), Idle: "no cat"}, verdict.Observed, ""},
	} {
		checks, _ := rules.Judge([]rules.Rule{c.rule}, h)
		if got := checks[0]; got.Verdict != c.want || got.Reason != c.reason {
			t.Errorf("want %s, %q; got %s, %q", c.want, c.reason, got.Verdict, got.Reason)
		}
	}
}

// TestAnExampleFitsIntoACard: of several connections that were closed, the finding names one with a short address.
func TestAnExampleFitsIntoACard(t *testing.T) {
	var all []history.Exchange
	for i, path := range []string{"/pets?limit=" + strings.Repeat("9", 9000), "/pets?limit=abc", "/pets/abc"} {
		x := exchange.Exchange{N: i + 1, Check: "test", Step: path[:9], Attempt: 1, Operation: spec.OperationOf("GET", path), Auth: exchange.Key,
			Request: exchange.Request{Method: "GET", Path: path}, Sent: at.Add(time.Duration(i) * time.Second), Done: time.Millisecond,
			Failure: &exchange.Failure{Kind: exchange.Closed}}
		all = append(all, history.ReadExchange(x))
	}
	checks, _ := rules.Judge(rules.All(), history.From(exchange.Meta{Started: at}, nil, all))
	for _, c := range checks {
		if c.ID == "answered" && (len(c.Findings) != 1 || c.Findings[0].Exchange != 2) {
			t.Errorf("%+v; a finding at exchange 2 is wanted", c.Findings)
		}
	}
}

// TestLostConnections: as many as a network may lose break nothing, in a short run and in a long one; a response that came in
// part, or was no HTTP, is the service's.
func TestLostConnections(t *testing.T) {
	for _, c := range []struct {
		lost, of int
		kind     exchange.Kind
		want     verdict.Verdict
	}{
		{2, 120, exchange.Closed, verdict.Passed},
		{3, 120, exchange.Closed, verdict.Failed},
		{23, 1000, exchange.Closed, verdict.Passed},
		{26, 1000, exchange.Closed, verdict.Failed},
		{2, 1000, exchange.NotHTTP, verdict.Passed},
		{3, 1000, exchange.NotHTTP, verdict.Failed},
	} {
		var all []history.Exchange
		for i := range c.lost + c.of {
			x := exchange.Exchange{N: i + 1, Check: "test", Step: fmt.Sprint(max(i, c.lost+i%c.lost)), Attempt: 1, Operation: spec.ListPets,
				Auth: exchange.Key, Request: exchange.Request{Method: "GET", Path: "/pets"}, Sent: at.Add(time.Duration(i) * time.Second),
				Done: time.Millisecond, Response: answer(200, "[]").Response}
			if i < c.lost { // each of them was sent again later
				x.Response, x.Failure = nil, &exchange.Failure{Kind: c.kind}
			}
			all = append(all, history.ReadExchange(x))
		}
		checks, _ := rules.Judge(rules.All(), history.From(exchange.Meta{Started: at}, nil, all))
		for _, got := range checks {
			if got.ID == "answered" && got.Verdict != c.want {
				t.Errorf("%d of %d %s: %s; %s is wanted", c.lost, c.of, c.kind, got.Verdict, c.want)
			}
		}
	}
}
