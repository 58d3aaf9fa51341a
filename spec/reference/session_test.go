package reference

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// A session is a long sequence of requests that uses every part of the service. The sessions of two services can be compared line by
// line.

const (
	smallKey = "Small-key-of-the-tests-42"
	otherKey = "Another-key-9876543210"
)

// sessionConfig has a large key, and two small ones whose plan can be spent.
func sessionConfig() (Config, *clock) {
	cfg := testConfig()
	moving := &clock{testStart.Add(700 * time.Millisecond)}
	cfg.Now = moving.Now
	small := spec.Plan{Name: "Free", PerMinute: 60, PerDay: 150}
	cfg.Keys = append(cfg.Keys, Key{Name: "small", Secret: exchange.NewSecret(smallKey), Plan: small})
	return cfg, moving
}

// talk is a session in progress.
type talk struct {
	service *Service
	clock   *clock
	from    string
	lines   []string
}

// session runs a whole session.
func session(t testing.TB, seed int, deviations ...string) []string {
	t.Helper()
	cfg, moving := sessionConfig()
	cfg.Seed, cfg.Deviations = seed, deviations
	s := &talk{service: newService(t, cfg), clock: moving, from: "192.0.2.1:1000"}
	s.atRest()
	s.rare()
	s.spend()
	s.parallel()
	return s.lines
}

// say sends one request and notes the answer.
func (s *talk) say(method, path, body, authorization string, header ...string) *httptest.ResponseRecorder {
	w := s.send(method, path, body, authorization, header...)
	var headers []string
	for name, values := range w.Header() {
		headers = append(headers, fmt.Sprintf("%s=%q", name, values))
	}
	slices.Sort(headers)
	s.lines = append(s.lines, fmt.Sprintf("%s %s %.60q %q -> %d %s %s", method, path, body, authorization, w.Code, headers, w.Body))
	return w
}

// send sends one request. A connection that is closed has the code 0.
func (s *talk) send(method, path, body, authorization string, header ...string) (w *httptest.ResponseRecorder) {
	r := httptest.NewRequest(method, "/v1"+path, strings.NewReader(body))
	r.RemoteAddr = s.from
	if body == "in chunks" {
		r.TransferEncoding = []string{"chunked"}
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w = httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			w.Code = 0
		}
	}()
	s.service.ServeHTTP(w, r)
	return w
}

// idOf is the id of the Pet in an answer, or 0.
func idOf(w *httptest.ResponseRecorder) int64 {
	var p spec.Pet
	if json.Unmarshal(w.Body.Bytes(), &p) != nil {
		return 0
	}
	return p.ID
}

const key = "Bearer " + testKey

var strangeCredentials = []string{
	"", "Bearer", "Bearer nobody", "Bearer " + strings.Repeat("x", len(testKey)), "Bearer " + exchange.Damage(testKey), "Bearer " + exchange.Truncate(testKey),
	"Bearer " + testKey + "x", "Bearer " + exchange.SwapCase(testKey), testKey, "Token " + testKey, "ApiKey " + testKey, "Basic S2V5LW9mLXRoZS10ZXN0cy0wMTIzNDU2Nzg5Og==",
	"Basic " + testKey, "BearerX " + testKey, "Bearer " + testKey[:len(testKey)-1] + "~", "Bearer \"" + testKey + "\"", "Bearer " + testKey + ",x", "Bearer " + testKey + " x", "Bearer null", "Bearer a.b.c",
	"Bearer" + testKey, "Bearer: " + testKey,
}

var validBodies = []string{
	`{"name":"Zoë  O'Malley \"the <b>cat</b>\" & 犬 🐕 % 100%25 + null","categoryId":9007199254740993,"status":"pending"}`,
	`{"name":" McCavity ","categoryId":2147483648}`, `{"name":"` + strings.Repeat("long ", 80) + `","categoryId":9223372036854775807,"status":"sold"}`,
	`{"name":"a%20b","categoryId":1}`, `{"name":"null","categoryId":0,"status":"available"}`, `{"name":"a\n\\\u0000b","categoryId":-9223372036854775808,"status":"sold"}`,
	"{\n\"categoryId\":-7,\n\"name\":\"Rex\",\"status\":\"available\"}", `{"name":"Rex","categoryId":3,"status":"available"}`, `{"name":"Rex","categoryId":3,"status":"available"}`,
	`{"id":1,"name":"Ada","categoryId":3}`, `{"id":4711,"name":"Bruno","categoryId":3}`, `{"name":"exactly thirty-two bytes of name","categoryId":5,"status":"pending"}`,
}

// neighbourBodies are next to refusedBodies.
var neighbourBodies = []string{
	`{}`, `{"pet":{"name":"x","categoryId":1}}`, `{"name\u0000":"x","categoryId":1}`, `{" name ":"x","categoryId":1}`, `{"name":"\ud83d","categoryId":1}`, "{\"name\":\"\xe9\",\"categoryId\":1}",
	`{"name":"x","categoryId":1e400}`, `{"name":"x","categoryId":false}`, `{"name":"x","categoryId":1e-3}`, `{"name":"x","categoryId":""}`, `{"name":"x","categoryId":[]}`,
	`{"name":false,"categoryId":1}`, `{"name":0,"categoryId":1}`, `{"name":"x","categoryId":1,"status":false}`, `{"name":"x","categoryId":1,"status":{}}`,
	`{"name":"x","categoryId":1,"status":true}`, `{"name":"x","categoryId":1,"status":"sold\u0000"}`, `{"name":"x","categoryId":1,"status":"avail"}`,
	`{"name":"x","categoryId":1,"status":"adopted"}`, `{"name":"x","categoryId":1,"status":"sold\n"}`, `{"name":"x","categoryId":1,"status":"constructor"}`, "{\"name\":\"a\tb\",\"categoryId\":1}",
	`{"name":"x","categoryId":1,"note":NaN}`, `{"name":"x","categoryId":1.}`, `{"name":"x","categoryId":+1}`, `{"name":'x',"categoryId":1}`, `{"name":"zero","categoryId":0}`,
	"{\"status\" : \"sold\",\t\"categoryId\": 1 , \"name\":\"spaces\"}", `{"name":"a\/b \ud83d\udc08","categoryId":1,"st\u0061tus":"sold"}`,
	`{"categoryId":1` + strings.Repeat(" ", 130<<10) + `}`, `{"name":"` + strings.Repeat("é", 40) + `","categoryId":1}`,
}

func (s *talk) atRest() {
	s.say("GET", "/pets", "", key)
	s.say("GET", "/pets?status=sold&limit=3", "", key)
	s.say("GET", "/pets?status=%73old", "", key)
	s.say("GET", "/pets", "", "", "Cookie", "api_key="+testKey)
	for _, credential := range strangeCredentials {
		s.say("GET", "/pets", "", credential)
		s.say("GET", "/pets?limit=x&status=unheard-of", "", credential)
		s.say("GET", "/pets?status=sold", "", credential)
		s.say("POST", "/pets", `{"name":"Nobody's","categoryId":1}`, credential)
		s.say("POST", "/pets", "?", credential, "Content-Type", "text/plain")
		s.say("GET", "/pets/x", "", credential)
		s.say("GET", "/store/orders", "", credential)
	}
	s.say("GET", "/pets/1", "", key)
	for _, body := range validBodies {
		id := idOf(s.say("POST", "/pets", body, key))
		for range 2 {
			s.say("GET", "/pets/"+strconv.FormatInt(id, 10), "", key)
		}
		s.clock.now = s.clock.now.Add(300 * time.Millisecond)
	}
	for _, body := range refusedBodies {
		s.say("POST", "/pets", body, key)
	}
	s.say("POST", "/pets", `{"name":"After","categoryId":1,"status":"sold"}`, key)
	s.say("POST", "/pets", `{"name":"With charset","categoryId":1}`, key, "Content-Type", "application/json; charset=utf-8")
	s.say("POST", "/pets", `{"name":"As text","categoryId":1}`, key, "Content-Type", "text/plain")
	for i := range 40 {
		s.say("POST", "/pets", fmt.Sprintf(`{"name":"Number %d","categoryId":%d,"status":%q}`, i, i%3, spec.Statuses()[i%3]), key)
	}
	for id := range 20 {
		s.say("GET", "/pets/"+strconv.Itoa(id), "", key)
	}
	for _, limit := range []string{"", "limit=1", "limit=2", "limit=5", "limit=37", "limit=54", "limit=64", "limit=99", "limit=100", "limit=0", "limit=101"} {
		for _, status := range []string{"", "&status=available", "&status=pending", "&status=sold", "", "&status=none"} {
			s.say("GET", "/pets?"+limit+status, "", key)
		}
	}
	for _, path := range []string{"/pets/-1", "/pets/4294967297", "/pets/9223372036854775807", "/pets/9223372036854775808", "/pets/x", "/pets/-1", "/store/orders", "/none"} {
		s.say("GET", path, "", key)
	}
	s.say("GET", "/pets/-1", "", "") // after the same with the key
	s.say("GET", "/pets?status=sold&limit=3", "", key)
	s.say("DELETE", "/pets", "", key)
	s.neighbours()
	for _, body := range []string{`{"name":"007","categoryId":1}`, `{"name":"0","categoryId":1}`, `{"name":"X-AVAILABLE","categoryId":1}`, `{"name":"\r\n\u00a0\ufeff\u202e\u201c\ufb01ß %s {{7*7}}","categoryId":-70}`, `{"name":"\u2764\ufe0f","categoryId":1}`} {
		s.say("POST", "/pets", body, key)
	}
}

// neighbours sends values next to those of atRest, and looks at animals from other sides.
func (s *talk) neighbours() {
	for _, body := range neighbourBodies {
		s.say("POST", "/pets", body, key)
	}
	s.say("POST", "/pets", `<pet/>`, key, "Content-Type", "application/xml")
	s.say("GET", "/pets", "", "", "X-Api-Key", testKey)
	s.say("GET", "/pets", "", "Bearer x"+testKey)
	s.say("GET", "/pets", "", "Bearer x "+testKey)
	s.say("GET", "/pets", "", "")
	s.say("GET", "/pets/2", "", "")
	s.say("GET", "/pets?status=avail", "", key)
	next := idOf(s.say("POST", "/pets", `{"name":"Before","categoryId":1}`, key)) + 1
	for range 2 {
		s.say("GET", "/pets/"+strconv.FormatInt(next, 10), "", key)
		s.say("POST", "/pets", `{"name":"Between","categoryId":1}`, key)
	}
}

// rare sends what few clients send.
func (s *talk) rare() {
	for _, credential := range []string{"Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+testKey)), "Bearer undefined", "Bearer x'or'1'='1", "Bearer é", "Bearer " + strings.Repeat("k", 8<<10)} {
		s.say("GET", "/pets", "", credential)
	}
	made := strconv.FormatInt(idOf(s.say("POST", "/pets", `{"name":"Two digits","categoryId":1}`, key)), 10)
	for _, path := range []string{"/pets?limit=98", "/pets?limit=1&limit=2", "/pets?x=" + strings.Repeat("y", 9<<10), "/pets/" + strings.Repeat("9", 300), "/pets/%FF",
		"/pets?limit=%C3%A9", "/pets/" + made[:len(made)-1]} {
		s.say("GET", path, "", key)
	}
	s.say("POST", "/pets", "in chunks", key)
	s.say("POST", "/pets", `{"name":"large","categoryId":1,"more":"`+strings.Repeat("m", 1<<20)+`"}`, key)
	for _, name := range []string{"true", "1e3", "2024-01-31", strings.Repeat("n", 1000), `\u001b`, "Case", "case", "Accént", "Accent"} {
		s.say("POST", "/pets", `{"name":"`+name+`","categoryId":1}`, key)
	}
}

// parallel creates and lists animals at the same time, and notes the numbers of ids and names, which do not depend on the order, and
// whether a listing failed or has another length than its limit.
func (s *talk) parallel() {
	var mu sync.Mutex
	var all sync.WaitGroup
	seen, names, wrong := map[int64]bool{}, 0, false
	for i := range 12 {
		all.Go(func() {
			limit := 1 + i%3
			w := s.send("GET", fmt.Sprintf("/pets?limit=%d", limit), "", key)
			mu.Lock()
			defer mu.Unlock()
			wrong = wrong || w.Code >= 500 || w.Code == 200 && strings.Count(w.Body.String(), `"id":`) != limit
		})
		all.Go(func() {
			name := fmt.Sprintf("Parallel %d", i)
			w := s.send("POST", "/pets", fmt.Sprintf(`{"name":%q,"categoryId":3}`, name), key)
			mu.Lock()
			defer mu.Unlock()
			seen[idOf(w)] = true
			if strings.Contains(w.Body.String(), name+`"`) {
				names++
			}
		})
	}
	all.Wait()
	s.lines = append(s.lines, fmt.Sprintf("%d ids and %d names of 12, a listing is wrong: %t", len(seen), names, wrong))
}
