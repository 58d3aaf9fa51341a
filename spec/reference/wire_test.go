package reference

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestOnTheWire tests what shows only over a network: the framing of answers and closed connections.
func TestOnTheWire(t *testing.T) {
	for _, row := range []struct {
		freedom, deviation string
		// sees says whether the answer to a listing is as expected.
		sees func(r *http.Response, body string, err error) bool
	}{
		{"", "", func(r *http.Response, body string, err error) bool {
			return err == nil && r.ContentLength == int64(len(body)) && !r.Close && r.Header.Get("Date") != ""
		}},
		{"chunked", "", func(r *http.Response, body string, err error) bool {
			return err == nil && r.ContentLength < 0 && strings.HasSuffix(body, "]")
		}},
		{"compressed", "", func(r *http.Response, body string, err error) bool {
			return err == nil && r.Uncompressed && strings.HasSuffix(body, "]")
		}},
		{"connection-closed", "", func(r *http.Response, _ string, err error) bool { return err == nil && r.Close }},
		{"early-hints", "", func(r *http.Response, body string, err error) bool {
			return err == nil && r.StatusCode == http.StatusOK && strings.HasSuffix(body, "]")
		}},
		{"date-absent", "", func(r *http.Response, _ string, err error) bool { return err == nil && r.Header.Get("Date") == "" }},
		{"headers-in-lower-case", "", func(r *http.Response, _ string, err error) bool {
			return err == nil && r.Header.Get("X-RateLimit-Reset") != ""
		}},
		{"", "cut-short-on-list", func(_ *http.Response, body string, err error) bool {
			return errors.Is(err, io.ErrUnexpectedEOF) && strings.HasPrefix(body, "[{")
		}},
		{"", "gzip-in-name-only", func(_ *http.Response, _ string, err error) bool {
			return err != nil && strings.Contains(err.Error(), "gzip")
		}},
		{"", "closed-on-limit-100", func(r *http.Response, _ string, err error) bool { return r == nil && err != nil }},
	} {
		t.Run(row.freedom+row.deviation, func(t *testing.T) {
			cfg := testConfig()
			cfg.Now, cfg.Seed = time.Now, 30
			if row.freedom != "" {
				cfg.Freedoms = []string{row.freedom}
			}
			if row.deviation != "" {
				cfg.Deviations = []string{row.deviation}
			}
			server := httptest.NewServer(newService(t, cfg))
			defer server.Close()
			r, body, err := list(t, server.URL)
			if !row.sees(r, body, err) {
				t.Errorf("unexpected answer: %+v\n%.200s\n%v", r, body, err)
			}
		})
	}
}

// list lists 100 animals with a client that decompresses gzip.
func list(t *testing.T, server string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, server+"/v1/pets?limit=100", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+testKey)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	return w, string(body), err
}
