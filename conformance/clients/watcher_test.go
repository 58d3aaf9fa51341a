package clients

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"petconform/spec/verdict"
)

func (d *desk) creates(body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/v1/pets", body)
	r.Header.Set("Authorization", "Bearer "+deskKey)
	r.Header.Set("Content-Type", "application/json")
	out := httptest.NewRecorder()
	d.watcher.ServeHTTP(out, r.WithContext(d.watcher.Connected(d.t.Context(), nil)))
	return out
}

// TestBodiesThatDidNotComeWholeAreNotJudged: whatever their first part looks like.
func TestBodiesThatDidNotComeWholeAreNotJudged(t *testing.T) {
	long, gone := strings.Repeat(" ", 2<<20), iotest.ErrReader(io.ErrUnexpectedEOF)
	for name, c := range map[string]struct {
		body io.Reader
		want verdict.Run
	}{
		"whole":                               {strings.NewReader(`{"name":"Rex","categoryId":1}`), verdict.Conforms},
		"2 MB, no NewPet in its first part":   {strings.NewReader(`{"categoryId":1}` + long + `x`), verdict.NoVerdict},
		"2 MB, not JSON in its first part":    {strings.NewReader("}" + long), verdict.NoVerdict},
		"the end is missing, the rest parses": {io.MultiReader(strings.NewReader(`{"categoryId":1}`), gone), verdict.NoVerdict},
		"nothing came":                        {gone, verdict.NoVerdict},
	} {
		d := newDesk(t, free)
		d.creates(c.body)
		if r := d.judge(); r.Verdict != c.want {
			t.Errorf("%s: it %s: %s", name, r.Word, r.Reasons)
		}
	}
}

// TestNoKeyIsRecorded: a method, the name of a header and an address may have one, too. The desk looks for it.
func TestNoKeyIsRecorded(t *testing.T) {
	d := newDesk(t, free)
	p := d.program()
	p.do("GET", "/pets", "", "X-Forwarded-For", deskKey)
	p.do(strings.ToUpper(deskKey), "/pets", "")
	p.do("GET", "/pets", "", "X-"+deskKey, "yes", "X-Api-Key", "another-secret")
	p.get("/pets?limit=5&key=" + deskKey + "&access_token=another-secret&token=50%off-another-secret&x=1;session=another-secret")
	d.judge()
	if strings.Contains(d.recording.String(), "another-secret") {
		t.Errorf("another secret stands in the recording: %s", &d.recording)
	}
}

// TestTheEnd: a request that is open at the end is waited for and recorded, and one that comes later is answered only.
func TestTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, free)
		body, client := io.Pipe()
		go d.creates(body)
		_, _ = io.WriteString(client, `{"name":`)
		time.AfterFunc(time.Second, func() { _ = client.CloseWithError(io.ErrUnexpectedEOF) })
		before := d.judge()
		size := d.recording.Len()
		if code := d.program().list().StatusCode; code != http.StatusOK || before.Requests != 1 || d.recording.Len() > size {
			t.Errorf("answered %d; %d exchanges, and %d bytes more", code, before.Requests, d.recording.Len()-size)
		}
	})
}

// TestBounds: the recording ends at a bound of requests or of bytes, and says so once. What the service is asked later
// is answered.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		body            string
		requests, bytes int
	}{
		"requests": {"", MaxExchanges - 2, 0},
		"bytes":    {strings.Repeat("x", MaxBody), 0, MaxBytes - 2*MaxBody},
	} {
		d, full := newDesk(t, free), 0
		d.watcher.service, d.watcher.full = http.NotFoundHandler(), func() { full++ }
		d.watcher.n, d.watcher.bytes = c.requests, c.bytes
		for range 10 {
			if out := d.creates(strings.NewReader(c.body)); out.Code != http.StatusNotFound {
				t.Fatalf("it was answered %d", out.Code)
			}
		}
		r := d.judge()
		if full != 1 || r.Requests != 2 || !strings.Contains(fmt.Sprint(r.Reasons), "is full") || r.Verdict == verdict.Conforms {
			t.Errorf("%s: %d exchanges; full %d times; it %s (%s)", name, r.Requests, full, r.Word, r.Reasons)
		}
	}
}
