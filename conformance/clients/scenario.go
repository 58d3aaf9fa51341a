package clients

import "time"

// The plan of the scenario: a client of few requests reaches its end, and a wait for the next window is short, though
// Retry-After has 2 s, which a client that waits for a second each time does not wait for.
const (
	ScenarioMinute    = 1500 * time.Millisecond
	ScenarioPerMinute = 20
)

// Scenario has the freedoms with which the reference service leads a client to what the requirements are about. A client
// may meet each of them at any service; the others are left to --freedom.
var Scenario = []string{
	"ids-random",         // a float64 cannot hold them
	"others-spend-early", // 429s for a client that paces itself, too
	"random-order",
	"pet-with-more-members",
	"error-with-more-members",
	"compressed",
	"unavailable-once",
	"connection-closed-now-and-then",
}
