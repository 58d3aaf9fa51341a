package record

// Phase is the id of a part of a load run. What it proves, sends and costs, and how it is judged, is one value in package load.
type Phase string

// The phases, in the order in which a key goes through them.
const (
	// Headers reads the headers and the listings, and measures how long a response takes.
	Headers Phase = "read"
	// Fill spends a fresh allowance to the last request and one beyond.
	Fill Phase = "fill"
	// Recover sends one request when Retry-After has passed.
	Recover Phase = "recover"
	// Backoff retries as a compliant client does: exponentially, with jitter, never before Retry-After.
	Backoff Phase = "backoff"
	// Under sends a little more slowly than the plan allows.
	Under Phase = "under"
	// Mixed spends one allowance over all operations and several connections.
	Mixed Phase = "mixed"
	// Overload sends a multiple of the plan.
	Overload Phase = "overload"
	// Isolation reads with another key before, during and after the overload.
	Isolation Phase = "isolation"
	// RefusedCreate looks for the animals of the createPets that were answered 429.
	RefusedCreate Phase = "refused-create"
	// Day spends the day's requests and one beyond.
	Day Phase = "day"
	// Ban repeats requests after a 429 until the key is banned, and waits for the ban to end.
	Ban Phase = "ban"
)

// SteadyRound is the first round of the under phase that begins with an almost empty allowance. Rounds with smaller numbers begin with a
// fresh one.
const SteadyRound = 11

// Phases lists every phase in order.
func Phases() []Phase {
	return []Phase{Headers, Fill, Recover, Backoff, Under, Mixed, Overload, Isolation, RefusedCreate, Day, Ban}
}

// Role says what one request of a phase is for.
type Role string

// The roles.
const (
	// Look reads the headers, with no other request in flight.
	Look Role = "look"
	// Spend is one of the requests that spend the allowance.
	Spend Role = "spend"
	// Probe is the request that follows a 429 after its Retry-After.
	Probe Role = "probe"
	// AtReset is a request at the time in X-RateLimit-Reset, which may be before the end of Retry-After.
	AtReset Role = "at-reset"
	// Press is a request that ignores a 429, in the mixed phase, the overload and the ban.
	Press Role = "press"
	// Control reads with the other key before the overload, and Beside during and after it.
	Control Role = "control"
	Beside  Role = "beside"
	// Search looks for an animal.
	Search Role = "search"
)
