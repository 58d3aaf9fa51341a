package client

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"petconform/spec/exchange"
)

const (
	// maxOutage is how often one call is sent again during an outage. Its waits are 100, 200, 400 and 800 ms where the target
	// does not send Retry-After.
	maxOutage       = 4
	firstOutageWait = 100 * time.Millisecond
	// outageBudget is how long all calls of a run together wait for outages to end. With eight in flight that is 8 s of a run.
	outageBudget = time.Minute
)

// outages decides which responses are an outage of the target, and counts what the run has waited for them.
type outages struct {
	mu      sync.Mutex
	waited  time.Duration
	reached bool // the target has responded, so that a refused connection is an outage and not a wrong address
}

// after says whether an exchange is part of an outage and its call is to be sent again, and when: a 502, 503 or 504, or a refused
// connection to a target that has responded before. It then marks the exchange, whose response no requirement is held against.
func (o *outages) after(x *exchange.Exchange, tries int, maxWait time.Duration) (wait time.Duration, again bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch x.Status() {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	case 0:
		if !o.reached || x.Failure == nil || x.Failure.Kind != exchange.Unreachable {
			return 0, false
		}
	default:
		o.reached = true
		return 0, false
	}
	wait = firstOutageWait << tries
	if x.Response != nil {
		if asked, ok := exchange.RetryAfter(x.Response.Header, x.Received()); ok {
			wait = max(wait, asked)
		}
	}
	if tries >= maxOutage || o.waited >= outageBudget || wait > maxWait {
		return 0, false
	}
	o.waited += wait
	if x.Failure == nil {
		x.Failure = &exchange.Failure{Kind: exchange.Outage, Detail: fmt.Sprintf("status %d; sent again after %s", x.Status(), wait.Round(time.Millisecond))}
	}
	return wait, true
}
