package run

import (
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"petconform/spec/exchange"
)

// Config is what a conformance run needs to know.
type Config struct {
	// Meta is recorded. Deep makes the run full: it sends every value, and every credential to every operation. With
	// Fitted too, it is full only if the first response shows that the key may send that much, or no limit. A CategoryID
	// of 0 is one that the first listing shows, else 1. ReadOnly leaves out every check that sends createPet with a valid
	// key. Patience is the age up to which reads that lack an animal are sent again. The run itself sets the Format, Kind,
	// Target, Started, Planned and Filtered.
	exchange.Meta
	// Base is the base address of the target, which ends in /v1.
	Base *url.URL
	Key  exchange.Secret
	// Secrets are other secrets that the Transport sends, which no recording may contain.
	Secrets []exchange.Secret
	// MaxCreates is how many animals the run may create; the service has no delete. Wanted is how many of them it may
	// create on purpose; the others are of requests that have to be refused. 0 means all.
	MaxCreates, Wanted int
	// Concurrency is how many requests are sent at the same time.
	Concurrency int
	// Explore is how many requests the run spends on generated sequences after the checks. Where it is 0, a full run
	// explores with the rest of plan.FullRequests.
	Explore int
	// Skip names checks, rules, requirements and operations that are left out. The run is then a part.
	Skip []string
	// Timeout bounds one exchange, MaxWait one wait for the target's allowance, and MaxOutage all waits for outages
	// together. Zero means the client's default. They bound the run; see client.Config.
	Timeout, MaxWait, MaxOutage time.Duration
	// Transport carries the requests; nil means the client's own.
	Transport http.RoundTripper
	// Recording takes the recording as it grows; nil keeps it in memory only.
	Recording io.Writer
	// Progress is called after each step of the run, from several goroutines. It may be nil.
	Progress func(Event)
	// Judging is called with the id of each check or rule before it is judged. It may be nil.
	Judging func(id string)
	// Handler is served on a port of its own while the run lasts, below the path of Base.
	Handler http.Handler
	// Problem is why the run can't begin.
	Problem error
}

// Event is a step of a run.
type Event struct {
	// Requests of Planned requests are sent.
	Requests, Planned int
	// Waiting says why the run waits, and Wait for how long.
	Waiting string
	Wait    time.Duration
}

// The defaults of a Config.
const (
	DefaultConcurrency = 16
	DefaultMaxCreates  = 30
	// LocalMaxCreates is the default for a target on this machine, whose animals nobody minds.
	LocalMaxCreates = 400
	DefaultPatience = 10 * time.Second
	// LocalPatience is the default for a target on this machine.
	LocalPatience = 3 * time.Second
	// LocalOutage is how long a target on this machine may be down: one that its developer restarts is up again by then,
	// and one that crashed stays down.
	LocalOutage = 30 * time.Second
	// DefaultSeed is the same for every run, so that the same command sends the same generated sequences.
	DefaultSeed = 1
)

// Local reports whether a target is on this machine.
func Local(base *url.URL) bool {
	return base.Hostname() == "localhost" || net.ParseIP(base.Hostname()).IsLoopback()
}

// PatienceFor is the default for a target.
func PatienceFor(base *url.URL) time.Duration {
	if Local(base) {
		return LocalPatience
	}
	return DefaultPatience
}

// NewName chooses the name of a run, which the names of its animals begin with. None of these has a part of a secret, if
// that can be avoided: it would be removed from the recording.
func NewName(secrets ...exchange.Secret) (name string) {
	keys := exchange.NewRedactor(secrets...)
	for range 100 {
		if name = strings.ToLower(rand.Text()[:6]); !keys.Found([]byte("petconform-" + name)) {
			break
		}
	}
	return name
}
