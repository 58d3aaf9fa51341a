package load

import (
	"time"

	"petconform/load/record"
)

// Event is what a person who watches a run wants to know of one key.
type Event struct {
	// Label names the key, Phase and Round what is being done with it.
	Label string
	Phase record.Phase
	Round int
	// Doing says it in words: "fill: 61 requests", "waiting 41 s for Retry-After".
	Doing string
	// Sent, Accepted and Refused count the key's requests so far.
	Sent, Accepted, Refused int
	// Limit and Remaining are what the newest answer's headers say; -1 when they say nothing.
	Limit, Remaining int64
	// Waiting is how long nothing will be sent, 0 when the key is sending.
	Waiting time.Duration
	// Left is an estimate of the time that the key still needs.
	Left time.Duration
	// Done says that the key has no phase left.
	Done bool
}
