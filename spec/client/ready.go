package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

const (
	// firstReadyPause and longestReadyPause are the shortest and the longest time between two requests to a target that
	// is not ready.
	firstReadyPause   = 250 * time.Millisecond
	longestReadyPause = 4 * time.Second
	// readyTimeout is the longest time for one of these requests.
	readyTimeout = 10 * time.Second
)

// Ready waits until the service answers, at most the time within. It sends listPets without a key, which a service
// answers with 401, so that it spends nothing of the key's allowance. 200, 429 and any JSON are also answers of the
// service. Anything else may come from a gateway whose service is starting. Ready obeys a Retry-After that ends within
// the time; with a longer one it asks again at its own pace until the time is over. It calls waiting for each new
// reason to wait. The error contains the last answer.
func Ready(ctx context.Context, transport http.RoundTripper, base *url.URL, within time.Duration,
	keys *exchange.Redactor, waiting func(why string)) error {
	end := time.Now().Add(within)
	said := ""
	for pause := firstReadyPause; ; pause = min(2*pause, longestReadyPause) {
		why, after := notReady(ctx, transport, base, min(readyTimeout, time.Until(end)), keys)
		if why == "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		left := time.Until(end)
		if left <= 0 {
			return fmt.Errorf("the target was not ready within %s; last: %s", within, why)
		}
		if why != said {
			waiting(why)
			said = why
		}
		if after > left {
			after = 0
		}
		if err := spec.Sleep(ctx, min(max(pause, after), left)); err != nil {
			return err
		}
	}
}

// notReady sends one request and returns why the service is not ready, "" if it is, and how long Retry-After asks to
// wait.
func notReady(ctx context.Context, transport http.RoundTripper, base *url.URL, timeout time.Duration,
	keys *exchange.Redactor) (why string, after time.Duration) {
	bounded, cancel := context.WithTimeout(ctx, max(timeout, firstReadyPause))
	defer cancel()
	req, err := http.NewRequestWithContext(bounded, http.MethodGet, base.String()+"/pets?limit=1", nil)
	if err != nil {
		return err.Error(), 0
	}
	req.Header.Set("Accept", "application/json")
	var x exchange.Exchange
	(&roundtrip.Recorder{Redactor: keys, MaxBody: readyBody}).Send(transport, req, &x)
	resp := x.Response
	if resp == nil {
		return "no response: " + x.Failure.Detail, 0
	}
	if answersItself(resp) {
		return "", 0
	}
	text := resp.Body[:min(len(resp.Body), readyBody)] // what comes of an incomplete body still tells who answered
	why = fmt.Sprintf("%d %s", resp.Status, http.StatusText(resp.Status))
	if words := strings.Join(strings.Fields(string(text)), " "); words != "" {
		why += fmt.Sprintf(", %q", words)
	}
	after, _ = exchange.RetryAfter(resp.Header, time.Now())
	return why, after
}

// readyBody is how much of a gateway's response is quoted, in bytes.
const readyBody = 120

// answersItself reports whether the service answered, and not a gateway.
func answersItself(resp *exchange.Response) bool {
	switch resp.Status {
	case http.StatusOK, http.StatusUnauthorized, http.StatusTooManyRequests:
		return true
	}
	isJSON := strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "json")
	return isJSON && !exchange.Unavailable(resp.Status)
}
