package sender

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// Call is one request that is to be sent.
type Call struct {
	Method string
	// Path is relative to the base address.
	Path string
	Body []byte
	Role record.Role
	// Connection picks one of Attack.Connections.
	Connection int
}

// Sender sends for one key.
type Sender struct {
	// Base is the base address, Key the key that goes under Bearer, and Other says that it is the run's other key.
	Base  string
	Key   exchange.Secret
	Other bool
	Lane  int
	// Clean takes the run's keys out of what came.
	Clean *exchange.Redactor
	// Transport carries the requests.
	Transport http.RoundTripper
	Timeout   time.Duration
	UserAgent string
	Clock     *Clock
	Collector *record.Collector
}

// Attack is a row of requests with one schedule.
type Attack struct {
	Phase record.Phase
	Round int
	// Next gives request i, counted from 0; it is called from several goroutines.
	Next func(i int) Call
	// Budget is how many requests there are at most.
	Budget int
	// Interval is the time between two; 0 sends in a closed loop.
	Interval time.Duration
	// Workers is how many may be under way at a time; at least 1.
	Workers int
	// Gate, when set, shuts at the first 429, and nothing is sent through a shut one.
	Gate *Gate
	// Connections are independent transports, by Call.Connection from 1; 0 is the sender's own.
	Connections []http.RoundTripper
	// Forget leaves the records to the recording: Run gives none. A day has a hundred thousand.
	Forget bool
	// Each is told of every record as it ends, in that order; it may end the attack by returning false. It must not keep
	// the record. It may be nil.
	Each func(*record.Record) bool
}

var errOver = errors.New("the attack is over")

// Run sends an attack and gives its records in the order of ending, unless it is to forget them. It returns when every answer has come or was given up.
// An error says that the recording could not be kept.
func (s *Sender) Run(ctx context.Context, a Attack) ([]record.Record, error) {
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	pacer := &Pacer{Interval: a.Interval, Budget: a.Budget, Stop: stop, Shut: a.Gate.Shut}
	w := &wire{sender: s, attack: &a, pacer: pacer, cancel: cancel, parts: s.constantParts(), base: strings.TrimRight(s.Base, "/")}
	if !a.Forget {
		w.records = make([]record.Record, 0, min(max(a.Budget, 0), 4096))
	}
	workers := uint64(max(1, a.Workers))
	// The client has no time-out of its own: for a transport that it doesn't know it begins two goroutines a request for it.
	attacker := vegeta.NewAttacker(vegeta.Client(&http.Client{Transport: w}), vegeta.Workers(1), vegeta.MaxWorkers(workers))
	defer context.AfterFunc(stop, func() { attacker.Stop() })()
	for range attacker.Attack(w.target, pacer, 0, "") {
		// What vegeta tells is less than what the wire has kept.
	}
	return w.records, errors.Join(w.err, s.Collector.Err())
}

// wire is the transport of one attack.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	cancel context.CancelFunc
	parts  parts
	base   string

	mu      sync.Mutex
	free    []*flight
	latest  string
	url     *url.URL
	records []record.Record
	err     error
}

// target lets vegeta send. A shut gate is looked at here once more: the pacer is asked for the next request while the last
// one is still under way. What vegeta makes of it has neither address nor content, and only its number is read.
func (w *wire) target(t *vegeta.Target) error {
	if w.attack.Gate.Shut() {
		return errOver
	}
	t.Method = http.MethodGet
	return nil
}

// begin gives call i, its address, and a flight for it.
func (w *wire) begin(i int) (call Call, to *url.URL, f *flight, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	call = w.attack.Next(i)
	if w.url == nil || w.latest != call.Path {
		if to, err = url.Parse(w.base + call.Path); err != nil {
			w.fail(err)
			return call, nil, nil, err
		}
		w.latest, w.url = call.Path, to
	}
	return call, w.url, w.flight(), nil
}

// flight takes one that is free, or makes one.
func (w *wire) flight() *flight {
	if last := len(w.free) - 1; last >= 0 {
		f := w.free[last]
		w.free = w.free[:last]
		return f
	}
	return newFlight()
}

// keep records one exchange.
func (w *wire) keep(r *record.Record, x *exchange.Exchange) {
	err := w.sender.Collector.Add(r, x)
	if r.Limited() && w.attack.Gate != nil {
		w.attack.Gate.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.attack.Forget {
		w.records = append(w.records, *r)
	}
	if err != nil {
		w.fail(err)
	}
	if w.attack.Each != nil && !w.attack.Each(r) {
		w.cancel()
	}
}

// fail ends the attack for its first error.
func (w *wire) fail(err error) {
	if w.err == nil {
		w.err = err
		w.cancel()
	}
}
