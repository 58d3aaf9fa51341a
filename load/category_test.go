package load

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// only7 returns a service that accepts animals of category 7 only. It has one such animal if stocked is set.
func only7(stocked bool) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		if stocked {
			r := httptest.NewRequest(http.MethodPost, "/v1/pets", strings.NewReader(`{"name":"Rex","categoryId":7,"status":"available"}`))
			r.Header.Set("Authorization", "Bearer "+keyOf("other").Reveal())
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // of the test's own connection
			if r.Method == http.MethodPost && !regexp.MustCompile(`"categoryId":7\b`).Match(body) {
				body = []byte(`{"name":"Rex","categoryId":"unknown"}`)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(w, r)
		})
	}
}

// TestTheCategoryOfTheTarget checks that a load run creates animals of a category that the target lists. If the target lists none and
// refuses category 1, that is no finding, and the warning names --category-id.
func TestTheCategoryOfTheTarget(t *testing.T) {
	for name, c := range map[string]struct {
		stocked bool
		given   int64
		created int
	}{
		"a listing shows it": {true, 0, 2},
		"the flag names it":  {false, 7, 2},
		"the flag is wrong":  {true, 8, 0},
		"nobody knows it":    {false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			res, _ := scene{handler: only7(c.stocked), refer: func(rc *reference.Config) { rc.Seed = 0 }, change: func(cfg *Config) { cfg.CategoryID = c.given }}.play(t)
			told := strings.Contains(strings.Join(res.Warnings, "\n"), "--category-id")
			if len(res.Created) != c.created || told != (c.created == 0) || len(failures(res)) > 0 || res.Verdict == verdict.Deviates {
				t.Errorf("%s, %d created, failed %v, warnings %q; %d are to be created", res.Verdict, len(res.Created), failures(res), res.Warnings, c.created)
			}
		})
	}
}
