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
	return having(http.StatusTooManyRequests).then(change)
}

// everyRefusal changes each nth refusal in a row. A client that waits after each 429 never meets it.
func everyRefusal(n int, change func(*call, *answer)) func(*behaviour) {
	return func(b *behaviour) {
		judged(func(_ *behaviour, c *call, refused *streak, d limiter.Decision) limiter.Decision {
			c.refusedInARow = refused.count(d)
			return d
		})(b)
		having(http.StatusTooManyRequests).and(calls(func(c *call) bool { return c.refusedInARow%n == 0 })).then(change)(b)
	}
}

// emptyListing answers 200 with an empty listing and keeps the media type.
func emptyListing(_ *call, a *answer) { a.status, a.body = http.StatusOK, []byte("[]") }

var limitRefusalDeviations = slices.Concat(
	table(Deviation{Breaks: ids("ERROR-1"), Needs: Load}, []Deviation{
		{Name: "limited-page", Suffers: "A 429 is an HTML page of the gateway.", apply: on429(page)},
		{Name: "limited-problem", Breaks: ids("ERROR-1", "ERROR-2"), Suffers: "A 429 is problem details, in place of the Error body.", apply: on429(problem)},
		{Name: "limited-declared-text", Suffers: "A client that goes by the media type does not decode the Error of a 429.", apply: on429(declared(textType))},
		{Name: "limited-bodiless", Breaks: ids("ERROR-2"), Suffers: "A 429 has a status line and no body.", apply: on429(bodiless)},
		{Name: "limited-message-only", Breaks: ids("ERROR-2"), Suffers: "The body of a 429 has a message and no other member.", apply: on429(saying(`{"message":"Too Many Requests"}`))},
		{Name: "limited-status-503", Breaks: ids("ERROR-3"), Suffers: "The Error of a 429 has the status 503.", apply: on429(saying(`{"code":"rate_limited","message":"Busy.","status":503}`))},
		{Name: "limited-without-headers", Breaks: ids("RATE-1"), May: ids("RATE-9", "RATE-15"), Suffers: "A 429 has no rate-limit headers.", apply: on429(noRate)},
		{Name: "limited-without-reset", Breaks: ids("RATE-1"), May: ids("RATE-9"), Suffers: "A 429 does not say when the limit resets.", apply: on429(lacking(resetHeader))},
		{Name: "limited-reset-in-seconds-left", Breaks: ids("RATE-3"), May: ids("RATE-9", "RATE-15"), Suffers: "The Reset of a 429 is a time in 1970.", apply: on429(func(c *call, _ *answer) {
			c.header.Set(resetHeader, whole(secondsUp(c.decision.RetryAfter)))
		})},
		{Name: "headers-lost-under-load", Breaks: ids("RATE-1"), May: ids("RATE-15"), Suffers: "Every fortieth answer lacks Remaining.",
			apply: ofOperations.and(every(40)).then(lacking(remainingHeader))},
		{Name: "refused-create-done", Breaks: ids("RATE-12"), Suffers: "A creation that is answered 429 is carried out, so a retry creates a second animal.", apply: func(b *behaviour) {
			b.admit = after(b.admit, func(c *call, refused *refusal) *refusal {
				if refused != nil && c.operation == spec.CreatePet {
					_ = b.createAnyway(c)
				}
				return refused
			})
		}},
	}),
	table(Deviation{Breaks: ids("RATE-6", "RATE-14"), Needs: Load}, []Deviation{
		{Name: "limited-503", May: ids("ERROR-7"), Suffers: "A client takes the limit for an outage.", apply: on429(withStatus(http.StatusServiceUnavailable))},
		{Name: "limited-403", Suffers: "A client takes the limit for a missing right and gives up.", apply: on429(withStatus(http.StatusForbidden))},
		{Name: "limited-401", May: ids("AUTH-1", "AUTH-7"), Suffers: "A client takes the limit for an invalid key.", apply: on429(withStatus(http.StatusUnauthorized))},
		{Name: "limited-200-empty", May: ids("CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3"), Suffers: "A client over its limit sees an empty shop.",
			apply: on429(replaced(http.StatusOK, mediaJSON, "[]"))},
		{Name: "limited-closed", Breaks: ids("RATE-6", "RATE-14", "SERVICE-3"), Suffers: "A client over its limit loses its connection.", apply: on429(abort)},
	}),
	table(Deviation{Breaks: ids("RATE-14"), Needs: Load}, []Deviation{
		{Name: "overload-503", May: ids("ERROR-7"), Suffers: "Under overload every fourth refusal is a 503.", apply: everyRefusal(4, withStatus(http.StatusServiceUnavailable))},
		{Name: "overload-500", May: ids("ERROR-7"), Suffers: "Under overload every seventh refusal is a 500.", apply: everyRefusal(7, withStatus(http.StatusInternalServerError))},
		{Name: "overload-served", May: ids("RATE-6", "CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3"), Suffers: "Under overload every fifth refusal is a 200 with an empty listing.",
			apply: everyRefusal(5, emptyListing)},
		{Name: "overload-closed", Breaks: ids("RATE-14", "SERVICE-3"), Suffers: "Under overload every sixth refusal closes the connection.", apply: everyRefusal(6, abort)},
		{Name: "overload-fails-when-busy", May: ids("ERROR-7", "RATE-6", "RATE-7"), Suffers: "With more than three requests in flight the others end in a 502, whatever the plan.", apply: failWhenBusy},
	}),
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
			withStatus(http.StatusBadGateway)(c, &a)
		}
		return a
	})(b)
}
