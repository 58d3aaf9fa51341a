package reports

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// HARFile has the exchanges of the failures. AllHARFile has those of the whole run, and is written only with --har.
const (
	HARFile    = "failures.har"
	AllHARFile = "exchanges.har"
)

// The members of HAR 1.2 that its readers need. Those for which a recording has no value are -1 or empty, as the format requires.
type har struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harName    `json:"creator"`
	Entries []harEntry `json:"entries"`
	Comment string     `json:"comment,omitempty"`
}

type harName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	Post        *harPost  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
	// Error is what Chromium's tools show for an exchange without a response.
	Error string `json:"_error,omitempty"`
}

type harContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Comment  string `json:"comment,omitempty"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// The largest total size of the bodies in a HAR, in bytes, and the largest number of exchanges of failures: a flood may break a rule
// 26,000 times. The recording has all.
const (
	harBodies   = 8 << 20
	harFailures = 1000
)

// HAR returns exchanges as an HTTP Archive 1.2, for browsers' tools and proxies: those of the failed checks, or all of the
// recording. A comment of each names its checks and their verdicts.
func HAR(res verdict.Results, rec *exchange.Recording, all bool) ([]byte, error) {
	log := harLog{Version: "1.2", Creator: harName{"petconform", res.Tool}, Entries: []harEntry{}}
	checks := map[int][]string{}
	for _, c := range res.Checks {
		if !all && !compare.Failing(c.Verdict) {
			continue
		}
		for _, x := range Exchanges(c, rec) {
			checks[x.N] = append(checks[x.N], string(c.Verdict)+": "+c.ID)
		}
	}
	if rec != nil {
		left := harBodies
		for _, x := range rec.Exchanges {
			if !all && len(checks[x.N]) == 0 {
				continue
			}
			if !all && len(log.Entries) == harFailures {
				log.Comment = fmt.Sprintf("the first %s exchanges of failures; %s has all", spec.Number(harFailures), RecordingFile)
				break
			}
			e := harOf(res.Target.URL, x, strings.Join(checks[x.N], "; "))
			if left -= len(e.Response.Content.Text); left < 0 {
				e.Response.Content.Text, e.Response.Content.Encoding = "", ""
				e.Response.Content.Comment = "the body is left out for its size; see " + RecordingFile
			}
			log.Entries = append(log.Entries, e)
		}
	}
	return marshal(har{log})
}

func harOf(target string, x exchange.Exchange, comment string) harEntry {
	const ms = float64(time.Millisecond)
	e := harEntry{Started: x.Sent.UTC().Format(time.RFC3339Nano), Time: float64(x.Done) / ms, Comment: comment}
	wait := min(x.FirstByte, x.Done)
	e.Timings = harTimings{0, float64(wait) / ms, float64(x.Done-wait) / ms}
	address := strings.TrimRight(target, "/") + x.Request.Path
	e.Request = harRequest{Method: x.Request.Method, URL: address, HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(x.Request.Header),
		Query: query(address), HeadersSize: -1, BodySize: len(x.Request.Body)}
	if len(x.Request.Body) > 0 {
		e.Request.Post = &harPost{x.Request.Header.Get("Content-Type"), []harPair{}, string(x.Request.Body)}
	}
	e.Response = harResponse{HTTPVersion: "", Cookies: []harPair{}, Headers: []harPair{}, HeadersSize: -1, BodySize: -1}
	if r := x.Response; r != nil {
		e.Request.HTTPVersion = r.Proto
		e.Response = harResponse{Status: r.Status, StatusText: http.StatusText(r.Status), HTTPVersion: r.Proto, Cookies: []harPair{}, Headers: pairs(r.Header),
			Content: content(r), RedirectURL: r.Header.Get("Location"), HeadersSize: -1, BodySize: -1}
	}
	if x.Failure != nil {
		e.Response.Error = string(x.Failure.Kind) + ": " + x.Failure.Detail
	}
	return e
}

func content(r *exchange.Response) harContent {
	c := harContent{Size: r.Size, MimeType: r.Header.Get("Content-Type"), Text: string(r.Body)}
	if !r.Body.IsText() {
		c.Text, c.Encoding = base64.StdEncoding.EncodeToString(r.Body), "base64"
	}
	return c
}

func pairs(h http.Header) []harPair {
	out := []harPair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			out = append(out, harPair{name, value})
		}
	}
	return out
}

func query(address string) []harPair {
	out := []harPair{}
	u, err := url.Parse(address)
	if err != nil {
		return out
	}
	values := u.Query()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			out = append(out, harPair{name, value})
		}
	}
	return out
}
