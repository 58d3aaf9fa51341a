package record

// Phase is the id of a phase of a load run. Package load has a value for each that says what the phase proves, sends
// and costs, and how it is judged.
type Phase string

// The phases, in the order in which they begin.
const (
	// Headers reads the headers and the listings, and measures response times. A quick run reads the headers once.
	Headers Phase = "read"
	// Fill sends all requests of a fresh allowance and one more.
	Fill Phase = "fill"
	// Recover sends one request when Retry-After has passed, or at X-RateLimit-Reset.
	Recover Phase = "recover"
	// Backoff retries as a compliant client does: with exponential backoff and jitter, and never before Retry-After has
	// passed.
	Backoff Phase = "backoff"
	// Under sends at just under the plan's rate.
	Under Phase = "under"
	// Mixed spends one allowance with all operations over several connections.
	Mixed Phase = "mixed"
	// Overload sends 1.5 times the plan's requests at once, and then at twice the plan's rate.
	Overload Phase = "overload"
	// Isolation sends requests with another key before, during and after the overload.
	Isolation Phase = "isolation"
	// RefusedCreate searches for animals that createPets which were answered 429 may have created.
	RefusedCreate Phase = "refused-create"
	// Day sends all requests of the day and one more.
	Day Phase = "day"
	// Ban repeats requests after a 429 until the key is banned, and waits for the ban to end.
	Ban Phase = "ban"
)

// SteadyRound is the number of the first round of the under phase that begins with an almost empty allowance. Rounds
// with smaller numbers begin with a fresh one.
const SteadyRound = 11

// Phases lists every phase in order.
func Phases() []Phase {
	return []Phase{Headers, Fill, Recover, Backoff, Under, Mixed, Overload, Isolation, RefusedCreate, Day, Ban}
}

// Role is the purpose of one request of a phase.
type Role string

const (
	// Look is a request to read the headers, with no other request in flight.
	Look Role = "look"
	// Spend is one of the requests that spend the allowance.
	Spend Role = "spend"
	// Probe is the request that follows a 429 after its Retry-After.
	Probe Role = "probe"
	// AtReset is a request at the time in X-RateLimit-Reset, which may be before the end of Retry-After.
	AtReset Role = "at-reset"
	// Press is a request that is sent after a 429 without waiting, in the mixed phase, the overload and the ban.
	Press Role = "press"
	// Control is a request with the other key before the overload, and Beside one during or after it.
	Control Role = "control"
	Beside  Role = "beside"
	// Search is a listing that is searched for an animal.
	Search Role = "search"
)
