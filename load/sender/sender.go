package sender

import (
	"cmp"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// Call is one request to send.
type Call struct {
	Method string
	// Path is relative to the base address.
	Path string
	Body []byte
}

// Gate is closed by the first 429 and stays closed, since requests after a 429 may lead to a ban. After the wait a new
// gate is used.
type Gate struct{ shut atomic.Bool }

func (g *Gate) Close() { g.shut.Store(true) }

// Shut reports whether the gate is closed. A nil gate is open.
func (g *Gate) Shut() bool { return g != nil && g.shut.Load() }

// Sender sends the requests of one key.
type Sender struct {
	// Key is sent with every request. Other says that it is the run's other key.
	Key   exchange.Secret
	Other bool
	// Lane is the index of the key in the recording to which Collector adds, and which has the base address.
	Lane      int
	Collector *record.Collector
	// Clean removes the run's keys from responses.
	Clean *exchange.Redactor
	// Transport carries the requests.
	Transport http.RoundTripper
	// Timeout bounds one request, from its sending to the end of the response's body.
	Timeout   time.Duration
	UserAgent string
}

// Attack is a series of requests on one schedule.
type Attack struct {
	Phase record.Phase
	Round int
	Role  record.Role
	// Over carry the requests by turns; nil means the Sender's Transport.
	Over []http.RoundTripper
	// Next returns request i, from 0. Its calls do not overlap, but come from several goroutines.
	Next func(i int) Call
	// Budget is the largest number of requests to send; 0 means no bound.
	Budget int
	// Interval is the time between two requests; 0 sends as soon as a worker is free (a closed loop).
	Interval time.Duration
	// Spread says that Interval only spreads the requests: one that waits for a worker is not late.
	Spread bool
	// Workers is the largest number of requests in flight; 0 means 1.
	Workers int
	// Gate is shut by the first 429. No request is sent after that. If it is nil, requests are sent after a 429 too.
	Gate *Gate
	// Each is called with every record, in the order in which the responses ended. If it returns false, the attack
	// ends. It may be nil.
	Each func(*record.Record) bool
	// Result is called with vegeta's Result of every request, from one goroutine; its Seq is the number of the
	// record. It may be nil.
	Result func(*vegeta.Result)
}

// Run sends an attack, and returns when no request is in flight. An error says that the recording could not be written,
// that a request could not be built, or that this machine has no file descriptor left.
func (s *Sender) Run(ctx context.Context, a Attack) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if a.Workers = max(1, a.Workers); a.Over == nil {
		a.Over = []http.RoundTripper{s.Transport}
	}
	pacer := &Pacer{Attack: a, Stop: ctx}
	w := newWire(s, pacer, cancel)
	attacker := vegeta.NewAttacker(vegeta.Client(&http.Client{Transport: w}), vegeta.Redirects(vegeta.NoFollow),
		vegeta.Workers(1), vegeta.MaxWorkers(uint64(a.Workers)))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	name := record.CheckID(s.Collector.Recording.Lanes[s.Lane].Plan, a.Phase)
	for res := range attacker.Attack(w.target, pacer, 0, name) {
		if w.number(res); a.Result != nil && res.Seq > 0 {
			a.Result(res)
		}
	}
	return cmp.Or(w.err, s.Collector.Flush())
}
