package reference

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

const testKey = "Key-of-the-tests-0123456789"

// testStart is on a whole second.
var testStart = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock that stands until it is moved.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// testConfig is a plain service with one large key and a standing clock.
func testConfig() Config {
	standing := &clock{testStart}
	return Config{
		Keys: []Key{
			{Name: "test", Secret: exchange.NewSecret(testKey), Plan: spec.Plan{Name: "Enterprise", PerMinute: 5_000, PerDay: 50_000}},
			{Name: "other", Secret: exchange.NewSecret("Another-key-9876543210"), Plan: spec.Free},
		},
		Now: standing.Now,
	}
}

func newService(t testing.TB, cfg Config) *Service {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends one request, with the test's key unless header says otherwise.
func ask(t testing.TB, s *Service, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "/v1"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testKey)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i+1] == "" {
			r.Header.Del(header[i])
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	return answerTo(s, r)
}

func answerTo(s *Service, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestEveryAnswer(t *testing.T) {
	cfg := testConfig()
	cfg.MaxBody = 1000
	rows := []struct {
		name, method, path, body string
		header                   []string
		status                   int
		want                     string
	}{
		{"empty list", "GET", "/pets", "", nil, 200, `[]`},
		{"limit 1", "GET", "/pets?limit=1", "", nil, 200, `[]`},
		{"limit 100", "GET", "/pets?limit=100&status=sold", "", nil, 200, `[]`},
		{"limit 0", "GET", "/pets?limit=0", "", nil, 400, ""},
		{"limit 101", "GET", "/pets?limit=101", "", nil, 400, ""},
		{"limit +1", "GET", "/pets?limit=%2B1", "", nil, 400, ""},
		{"limit empty", "GET", "/pets?limit=", "", nil, 400, ""},
		{"limit twice", "GET", "/pets?limit=1&limit=1", "", nil, 400, ""},
		{"status unknown", "GET", "/pets?status=Sold", "", nil, 400, ""},
		{"unknown parameter", "GET", "/pets?page=2", "", nil, 200, `[]`},
		{"query not encoded", "GET", "/pets?limit=%zz", "", nil, 400, ""},
		{"create", "POST", "/pets", `{"name":"Ünï 🐶","categoryId":9007199254740993,"status":"sold"}`, nil, 201,
			`{"id":1,"name":"Ünï 🐶","categoryId":9007199254740993,"status":"sold"}`},
		{"create without status", "POST", "/pets", ` {"categoryId":-1,"name":"","x":[1]} `, nil, 201, `{"id":2,"name":"","categoryId":-1}`},
		{"escapes", "POST", "/pets", `{"categoryId":0,"name":"\ud83d\udc36\"\\\n\u0001/"}`, nil, 201, `{"id":3,"name":"🐶\"\\\n\u0001/","categoryId":0}`},
		{"charset", "POST", "/pets", `{"categoryId":1,"name":"a"}`, []string{"Content-Type", "Application/JSON; charset=UTF-8"}, 201, `{"id":4,"name":"a","categoryId":1}`},
		{"no media type", "POST", "/pets", `{"categoryId":1,"name":"b"}`, []string{"Content-Type", ""}, 201, `{"id":5,"name":"b","categoryId":1}`},
		{"other media type", "POST", "/pets", `{"categoryId":1,"name":"b"}`, []string{"Content-Type", "text/plain"}, 415, ""},
		{"large body", "POST", "/pets", `{"categoryId":1,"name":"` + strings.Repeat("b", 1000) + `"}`, nil, 413, ""},
		{"list", "GET", "/pets?status=sold", "", nil, 200, `[{"id":1,"name":"Ünï 🐶","categoryId":9007199254740993,"status":"sold"}]`},
		{"list limited", "GET", "/pets?limit=2", "", nil, 200,
			`[{"id":1,"name":"Ünï 🐶","categoryId":9007199254740993,"status":"sold"},{"id":2,"name":"","categoryId":-1}]`},
		{"get", "GET", "/pets/2", "", nil, 200, `{"id":2,"name":"","categoryId":-1}`},
		{"get unknown", "GET", "/pets/9223372036854775807", "", nil, 404, ""},
		{"get no int64", "GET", "/pets/9223372036854775808", "", nil, 404, ""},
		{"orders", "GET", "/store/orders", "", nil, 200, `[{"id":1,"petId":1,"status":"placed"},{"id":2,"petId":2,"status":"delivered"}]`},
		{"unknown path", "GET", "/dogs", "", nil, 404, ""},
		{"other method", "DELETE", "/pets", "", nil, 405, ""},
		{"other method on one", "PUT", "/pets/1", "{}", nil, 405, ""},
		{"other method on orders", "POST", "/store/orders", "{}", nil, 405, ""},
		{"head", "HEAD", "/pets", "", nil, 405, ""},
	}
	s := newService(t, cfg)
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w := ask(t, s, r.method, r.path, r.body, r.header...)
			if w.Code != r.status {
				t.Fatalf("want status %d, got %d: %s", r.status, w.Code, w.Body)
			}
			wholeAnswer(t, w)
			if r.want != "" && w.Body.String() != r.want {
				t.Errorf("want %s\ngot  %s", r.want, w.Body)
			}
			if r.status == 405 && w.Header().Get("Allow") == "" {
				t.Error("a 405 wants Allow")
			}
		})
	}
}

// wholeAnswer checks what every answer has: the media type, the three rate-limit headers, and the Error body of an error.
func wholeAnswer(t testing.TB, w *httptest.ResponseRecorder) {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("want Content-Type application/json, got %q", got)
	}
	limit, errLimit := strconv.Atoi(w.Header().Get(spec.HeaderLimit))
	remaining, errRemaining := strconv.Atoi(w.Header().Get(spec.HeaderRemaining))
	reset, errReset := strconv.ParseInt(w.Header().Get(spec.HeaderReset), 10, 64)
	if errLimit != nil || errRemaining != nil || errReset != nil || remaining < 0 || remaining > limit ||
		reset <= testStart.Unix() || reset > testStart.Unix()+86_400 {
		t.Errorf("the rate-limit headers are %v", w.Header())
	}
	if w.Code < 400 {
		return
	}
	var e map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	code, _ := e["code"].(string)
	message, _ := e["message"].(string)
	if code == "" || message == "" || e["status"] != float64(w.Code) || len(e) != 3 {
		t.Errorf("want an Error of status %d, got %s", w.Code, w.Body)
	}
}
