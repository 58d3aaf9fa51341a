package clients

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// tap keeps a copy of what the service answers.
type tap struct {
	http.ResponseWriter
	began  time.Time
	status int
	header http.Header
	first  time.Duration
	body   bytes.Buffer
}

// WriteHeader notes the status and the time of the response.
func (t *tap) WriteHeader(status int) {
	if status >= http.StatusOK && t.status == 0 {
		t.status, t.header, t.first = status, t.Header().Clone(), time.Since(t.began)
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write copies the body.
func (t *tap) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	if t.body.Len() <= exchange.MaxBody {
		t.body.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find Flush.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// responseOf reads what the service answers as the response of a target is read. Names of headers are in canonical
// case, since their case has no meaning.
func (w *Watcher) responseOf(t *tap) *exchange.Response {
	header := http.Header{}
	for name, values := range t.header {
		for _, v := range values {
			header.Add(name, v)
		}
	}
	reader := roundtrip.Recorder{Redactor: w.redactor, MaxBody: exchange.MaxBody, Bodies: w.answered}
	res, _ := reader.Read(&http.Response{StatusCode: cmp.Or(t.status, http.StatusOK), Proto: "HTTP/1.1",
		Header: header, Body: io.NopCloser(&t.body)})
	return res
}
