package reference

import (
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// refused429 makes a deviation that changes the answers which are to be 429.
func refused429(name string, breaks []spec.ID, suffers string, w func() when, change func(*call, *answer), may ...spec.ID) Deviation {
	return underLoad(name, breaks, suffers, func(b *behaviour) {
		b.alter(having(http.StatusTooManyRequests).and(w()), change)
	}, may...)
}

// always429 means each of them.
func always429() when { return always }

// inARow makes an apply that changes what is refused after some refusals in a row: a polite client never meets it.
func inARow(n int, status int) func(b *behaviour) {
	return func(b *behaviour) {
		streak := streaks()
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			c.refusedInARow = streak(c, d)
			return d
		})
		b.alter(having(http.StatusTooManyRequests).and(func(c *call, _ *answer) bool { return c.refusedInARow%n == 0 }),
			func(c *call, a *answer) {
				if status == 0 {
					abort(c, a)
				}
				withStatus(status)(c, a)
				if status < 300 {
					a.body = []byte("[]")
				}
			})
	}
}

var limitRefusalDeviations = slices.Concat(refusalShapeDeviations, refusalStatusDeviations)

// The 429 is an error response like any other.
var refusalShapeDeviations = []Deviation{
	refused429("limited-page", ids("ERROR-1"), "The gateway refuses with a page of HTML.", always429, page),
	refused429("limited-line", ids("ERROR-1"), "A middleware refuses with a line of text.", always429, line),
	refused429("limited-bodiless", ids("ERROR-2"), "There is only a status line.", always429, bodiless),
	refused429("limited-problem", ids("ERROR-1", "ERROR-2"), "The limiter writes problem details.", always429, problem),
	refused429("limited-message-only", ids("ERROR-2"), "The gateway's body has a message and nothing else.", always429, saying(`{"message":"Too Many Requests"}`)),
	refused429("limited-declared-text", ids("ERROR-1"), "A client does not decode the Error.", always429, declared(textType)),
	refused429("limited-status-503", ids("ERROR-3"), "The body speaks of another status.", always429, saying(`{"code":"rate_limited","message":"Busy.","status":503}`)),
	refused429("limited-without-headers", ids("RATE-1"), "Just when a client needs the headers they are missing.", always429, func(c *call, _ *answer) {
		for _, h := range []string{limitHeader, remainingHeader, resetHeader} {
			c.header.Del(h)
		}
	}, "RATE-9", "RATE-15"),
	refused429("limited-without-reset", ids("RATE-1"), "Just when a client needs to know when, it is not told.", always429, func(c *call, _ *answer) {
		c.header.Del(resetHeader)
	}, "RATE-9"),
	refused429("limited-reset-in-seconds-left", ids("RATE-3"), "A refused client reads a time in 1970.", always429, func(c *call, _ *answer) {
		c.header.Set(resetHeader, whole(secondsUp(c.decision.RetryAfter)))
	}, "RATE-9", "RATE-15"),
	underLoad("headers-lost-under-load", ids("RATE-1"), "Every fortieth answer lacks the headers.", func(b *behaviour) {
		b.alter(ofOperations(every(40)), func(c *call, _ *answer) { c.header.Del(remainingHeader) })
	}, "RATE-15"),
}

// RATE-12 and RATE-14: a request beyond the plan is answered 429, and nothing else happens.
var refusalStatusDeviations = []Deviation{
	refused429("limited-503", ids("RATE-6", "RATE-14"), "A client takes the limit for an outage.", always429, withStatus(http.StatusServiceUnavailable), "ERROR-7"),
	refused429("limited-403", ids("RATE-6", "RATE-14"), "A client takes the limit for a right that is missing, and gives up.", always429, withStatus(http.StatusForbidden)),
	refused429("limited-401", ids("RATE-6", "RATE-14"), "A client takes the limit for a key that is not valid.", always429, withStatus(http.StatusUnauthorized), "AUTH-1", "AUTH-7"),
	refused429("limited-400", ids("RATE-6", "RATE-14"), "A client takes the limit for its own mistake.", always429, withStatus(http.StatusBadRequest)),
	refused429("limited-200-empty", ids("RATE-6", "RATE-14"), "A client over its limit sees an empty shop.", always429, replaced(http.StatusOK, mediaJSON, "[]"),
		"CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3"),
	refused429("limited-closed", ids("RATE-6", "RATE-14", "SERVICE-3"), "A client over its limit loses its connection.", always429, abort),
	underLoad("overload-503", ids("RATE-14"), "Under overload some requests meet a gateway that gave up.", inARow(4, http.StatusServiceUnavailable), "ERROR-7"),
	underLoad("overload-500", ids("RATE-14"), "Under overload some requests fail inside.", inARow(7, http.StatusInternalServerError), "ERROR-7"),
	underLoad("overload-served", ids("RATE-14"), "Under overload some requests are answered as if nothing were there.", inARow(5, http.StatusOK),
		"RATE-6", "CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3"),
	underLoad("overload-closed", ids("RATE-14", "SERVICE-3"), "Under overload connections are dropped.", inARow(6, 0)),
	underLoad("overload-fails-when-busy", ids("RATE-14"), "More than three requests at once are too many, whatever the plan.", func(b *behaviour) {
		var inFlight atomic.Int64
		b.around = append(b.around, func(next handler) handler {
			return func(c *call) answer {
				n := inFlight.Add(1)
				defer inFlight.Add(-1)
				// Work that takes its time, or requests would hardly ever meet.
				time.Sleep(time.Millisecond)
				a := next(c)
				if n > 3 && c.account != nil {
					withStatus(http.StatusBadGateway)(c, &a)
				}
				return a
			}
		})
	}, "ERROR-7", "RATE-6", "RATE-7"),
	underLoad("refused-create-done", ids("RATE-12"), "A client that retries as told creates its animal twice.", func(b *behaviour) {
		spend := b.admit
		b.admit = func(c *call) *refusal {
			refused := spend(c)
			if refused != nil && c.operation == spec.CreatePet && b.readNewPet(c) == nil {
				_ = b.create(c)
			}
			return refused
		}
	}),
}
