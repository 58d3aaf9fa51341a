package load

import (
	"time"

	"petconform/load/record"
)

// Event is the state of one key, for the display of progress.
type Event struct {
	// Label names the key. Phase and Round are its present phase and round.
	Label string
	Phase record.Phase
	Round int
	// Doing says what the key is doing: "sending the plan's requests and one more", "waiting 41s for Retry-After".
	Doing string
	// Sent, Accepted and Refused count the key's requests so far.
	Sent, Accepted, Refused int
	// Limit and Remaining are from the headers of the newest response; -1 if it has none.
	Limit, Remaining int64
	// Waiting is the time until the next request during a wait; else 0.
	Waiting time.Duration
	// Left is an estimate of the time that the key still needs.
	Left time.Duration
	// Done says that the key has no further phase.
	Done bool
}
