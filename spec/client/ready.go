package client

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

const (
	// readyPause is the time between two requests to a target that is not ready.
	readyPause = time.Second
	// readyTimeout is the longest time for one of these requests.
	readyTimeout = 10 * time.Second
)

// Ready waits until the service answers, at most the time within. It sends listPets without a key, which a service
// answers with 401, so that it spends nothing of the key's allowance. 429 and JSON are also answers of the service. A page,
// and a 404, may come from a gateway whose service is starting. It calls waiting for each new reason to wait. The error
// contains the last answer.
func Ready(ctx context.Context, transport http.RoundTripper, base *url.URL, within time.Duration,
	keys *exchange.Redactor, waiting func(why string)) error {
	end := time.Now().Add(within)
	for said := ""; ; {
		why := notReady(ctx, transport, base, min(readyTimeout, time.Until(end)), keys)
		switch left := time.Until(end); {
		case why == "":
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case left <= 0:
			return fmt.Errorf("the target was not ready within %s; last: %s", within, why)
		case why != said:
			waiting(why)
			said = why
		}
		if err := spec.Sleep(ctx, min(readyPause, time.Until(end))); err != nil {
			return err
		}
	}
}

// readyBody is how much of a gateway's response is quoted, in bytes.
const readyBody = 120

// notReady sends one request and returns why the service is not ready, "" if it is.
func notReady(ctx context.Context, transport http.RoundTripper, base *url.URL, timeout time.Duration, keys *exchange.Redactor) string {
	bounded, cancel := context.WithTimeout(ctx, max(timeout, readyPause))
	defer cancel()
	req, err := http.NewRequestWithContext(bounded, http.MethodGet, base.String()+"/pets?limit=1", nil)
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Accept", "application/json")
	var x exchange.Exchange
	(&roundtrip.Recorder{Redactor: keys, MaxBody: readyBody}).Send(transport, req, &x)
	if x.Response == nil {
		return "no response: " + x.Failure.Detail
	}
	refuses, body := []int{http.StatusUnauthorized, http.StatusTooManyRequests}, bytes.TrimSpace(x.Response.Body)
	own := bytes.IndexAny(body, "[{") == 0 || slices.Contains(refuses, x.Status()) && !bytes.HasPrefix(body, []byte("<"))
	if own && x.Status() != http.StatusNotFound && !exchange.Unavailable(x.Status()) {
		return ""
	}
	why := fmt.Sprintf("%d %s", x.Status(), http.StatusText(x.Status()))
	// What comes of an incomplete body still tells who answered.
	if words := strings.Join(strings.Fields(string(x.Response.Body[:min(len(x.Response.Body), readyBody)])), " "); words != "" {
		why += fmt.Sprintf(", %q", words)
	}
	return why
}
