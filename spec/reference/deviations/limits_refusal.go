package deviations

import (
	"slices"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// on429 changes the answers that would be 429.
func on429(change func(*Call, *Answer)) Change {
	return Having(429).Then(change)
}

// everyRefusal changes each nth refusal in a row. A client that waits after each 429 never meets it.
func everyRefusal(n int, change func(*Call, *Answer)) Change {
	return func(b *Behaviour) {
		Judged(func(_ *Behaviour, c *Call, refused *Streak, d limiter.Decision) limiter.Decision {
			c.RefusedInARow = refused.Count(d)
			return d
		})(b)
		Having(429).And(Calls(func(c *Call) bool { return c.RefusedInARow%n == 0 })).Then(change)(b)
	}
}

var limitRefusalRows = slices.Concat(
	faults(breaks("ERROR-1"), needs(Load))(
		fault("limited-page", on429(page)),
		fault("limited-problem", on429(problem), breaks("ERROR-1", "ERROR-2")),
		fault("limited-declared-text", on429(Declared(textType))),
		fault("limited-bodiless", on429(bodiless), breaks("ERROR-2")),
		fault("limited-message-only", on429(Saying(`{"message":"Too Many Requests"}`)), breaks("ERROR-2")),
		fault("limited-status-503",
			on429(Saying(`{"code":"rate_limited","message":"Busy.","status":503}`)), breaks("ERROR-3")),
		fault("limited-without-headers", on429(noRate), breaks("RATE-1"), may("RATE-9", "RATE-15")),
		fault("limited-without-reset", on429(Lacking(ResetHeader)), breaks("RATE-1"), may("RATE-9")),
		fault("limited-reset-in-seconds-left", on429(func(c *Call, _ *Answer) {
			c.Header.Set(ResetHeader, Whole(SecondsUp(c.Decision.RetryAfter)))
		}), breaks("RATE-3"), may("RATE-9", "RATE-15")),
		fault("headers-lost-under-load",
			OfOperations.And(Every(40)).Then(Lacking(RemainingHeader)), breaks("RATE-1"), may("RATE-15")),
		fault("refused-create-done",
			func(b *Behaviour) {
				b.Admit = After(b.Admit, func(c *Call, refused *Refusal) *Refusal {
					if refused != nil && c.Operation == spec.CreatePet {
						_ = createAnyway(b, c)
					}
					return refused
				})
			}, breaks("RATE-12")),
	),
	faults(breaks("RATE-6", "RATE-14"), needs(Load))(
		fault("limited-503", on429(WithStatus(503)), may("ERROR-7")),
		fault("limited-403", on429(WithStatus(403))),
		fault("limited-401", on429(WithStatus(401)), may("AUTH-1", "AUTH-7")),
		fault("limited-200-empty", on429(Replaced(200, MediaJSON, "[]")),
			may("CREATE-1", "GET-2", "LIST-8", "LIST-11", "PET-1", "PET-2", "PET-3")),
		fault("limited-closed", on429(Abort), breaks("RATE-6", "RATE-14", "SERVICE-3")),
	),
	faults(breaks("RATE-14"), needs(Load))(
		fault("overload-503", everyRefusal(4, WithStatus(503)), may("ERROR-7")),
		fault("overload-500", everyRefusal(7, WithStatus(500)), may("ERROR-7")),
		fault("overload-closed", everyRefusal(6, Abort), breaks("RATE-14", "SERVICE-3")),
	),
)
