package reference

import (
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// on429 changes the answers that would be 429.
func on429(change func(*call, *answer)) func(*behaviour) {
	return having(429).then(change)
}

// everyRefusal changes each nth refusal in a row. A client that waits after each 429 never meets it.
func everyRefusal(n int, change func(*call, *answer)) func(*behaviour) {
	return func(b *behaviour) {
		judged(func(_ *behaviour, c *call, refused *streak, d limiter.Decision) limiter.Decision {
			c.refusedInARow = refused.count(d)
			return d
		})(b)
		having(429).and(calls(func(c *call) bool { return c.refusedInARow%n == 0 })).then(change)(b)
	}
}

// emptyListing answers 200 with an empty listing and keeps the media type.
func emptyListing(_ *call, a *answer) { a.status, a.body = http.StatusOK, []byte("[]") }

var limitRefusalDeviations = slices.Concat(
	faults(breaks("ERROR-1"), needs(Load))(
		fault("limited-page", "A 429 is an HTML page of the gateway.", on429(page)),
		fault("limited-problem", "A 429 is problem details, in place of the Error body.",
			on429(problem), breaks("ERROR-1", "ERROR-2")),
		fault("limited-declared-text", "A client that goes by the media type does not decode the Error of a 429.",
			on429(declared(textType))),
		fault("limited-bodiless", "A 429 has a status line and no body.", on429(bodiless), breaks("ERROR-2")),
		fault("limited-message-only", "The body of a 429 has a message and no other member.",
			on429(saying(`{"message":"Too Many Requests"}`)), breaks("ERROR-2")),
		fault("limited-status-503", "The Error of a 429 has the status 503.",
			on429(saying(`{"code":"rate_limited","message":"Busy.","status":503}`)), breaks("ERROR-3")),
		fault("limited-without-headers", "A 429 has no rate-limit headers.",
			on429(noRate), breaks("RATE-1"), may("RATE-9", "RATE-15")),
		fault("limited-without-reset", "A 429 does not say when the limit resets.",
			on429(lacking(resetHeader)), breaks("RATE-1"), may("RATE-9")),
		fault("limited-reset-in-seconds-left", "The Reset of a 429 is a time in 1970.", on429(func(c *call, _ *answer) {
			c.header.Set(resetHeader, whole(secondsUp(c.decision.RetryAfter)))
		}), breaks("RATE-3"), may("RATE-9", "RATE-15")),
		fault("headers-lost-under-load", "Every fortieth answer lacks Remaining.",
			ofOperations.and(every(40)).then(lacking(remainingHeader)), breaks("RATE-1"), may("RATE-15")),
		fault("refused-create-done",
			"A creation that is answered 429 is carried out, so a retry creates a second animal.",
			func(b *behaviour) {
				b.admit = after(b.admit, func(c *call, refused *refusal) *refusal {
					if refused != nil && c.operation == spec.CreatePet {
						_ = b.createAnyway(c)
					}
					return refused
				})
			}, breaks("RATE-12")),
	),
	faults(breaks("RATE-6", "RATE-14"), needs(Load))(
		fault("limited-503", "A client takes the limit for an outage.", on429(withStatus(503)), may("ERROR-7")),
		fault("limited-403", "A client takes the limit for a missing right and gives up.", on429(withStatus(403))),
		fault("limited-401", "A client takes the limit for an invalid key.",
			on429(withStatus(401)), may("AUTH-1", "AUTH-7")),
		fault("limited-200-empty", "A client over its limit sees an empty shop.",
			on429(replaced(200, mediaJSON, "[]")),
			may("CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3")),
		fault("limited-closed", "A client over its limit loses its connection.",
			on429(abort), breaks("RATE-6", "RATE-14", "SERVICE-3")),
	),
	faults(breaks("RATE-14"), needs(Load))(
		fault("overload-503", "Under overload every fourth refusal is a 503.",
			everyRefusal(4, withStatus(503)), may("ERROR-7")),
		fault("overload-500", "Under overload every seventh refusal is a 500.",
			everyRefusal(7, withStatus(500)), may("ERROR-7")),
		fault("overload-served", "Under overload every fifth refusal is a 200 with an empty listing.",
			everyRefusal(5, emptyListing),
			may("RATE-6", "CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3")),
		fault("overload-closed", "Under overload every sixth refusal closes the connection.",
			everyRefusal(6, abort), breaks("RATE-14", "SERVICE-3")),
		fault("overload-fails-when-busy",
			"With more than three requests in flight the others end in a 502, whatever the plan.",
			failWhenBusy, may("ERROR-7", "RATE-6", "RATE-7")),
	),
)

// failWhenBusy answers 502 when more than three requests are in flight. Each takes a millisecond, so that they overlap.
func failWhenBusy(b *behaviour) {
	var inFlight atomic.Int64
	around(func(c *call, next handler) answer {
		n := inFlight.Add(1)
		defer inFlight.Add(-1)
		time.Sleep(time.Millisecond)
		a := next(c)
		if n > 3 && c.account != nil {
			withStatus(502)(c, &a)
		}
		return a
	})(b)
}
