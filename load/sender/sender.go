package sender

import (
	"context"
	"errors"
	"net/http"
	"strconv"
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
	// Each is told of every record as it ends, in that order; it may end the attack by returning false. It may be nil.
	Each func(*record.Record) bool
}

// callHeader carries a request's index from the targeter to the transport, and is taken off there.
const callHeader = "X-Petconform-Call"

var errOver = errors.New("the attack is over")

// Run sends an attack and gives its records in the order of ending. It returns when every answer has come or was given up.
// An error says that the recording could not be kept.
func (s *Sender) Run(ctx context.Context, a Attack) ([]record.Record, error) {
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	pacer := &Pacer{Interval: a.Interval, Budget: a.Budget, Stop: stop, Shut: a.Gate.Shut}
	w := &wire{sender: s, attack: &a, pacer: pacer, cancel: cancel}
	workers := uint64(max(1, a.Workers))
	attacker := vegeta.NewAttacker(
		vegeta.Client(&http.Client{Transport: w, Timeout: s.Timeout, CheckRedirect: noRedirect}),
		vegeta.Workers(min(workers, 8)), vegeta.MaxWorkers(workers))
	defer context.AfterFunc(stop, func() { attacker.Stop() })()
	for range attacker.Attack(w.targeter(), pacer, 0, "") {
		// What vegeta tells is less than what the wire has kept.
	}
	return w.records, errors.Join(w.err, s.Collector.Err())
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// wire is the transport of one attack.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	cancel context.CancelFunc

	mu      sync.Mutex
	next    int
	calls   []Call
	records []record.Record
	err     error
}

// targeter hands vegeta one request after the other. A shut gate is looked at here once more: the pacer is asked for the
// next request while the last one is still under way.
func (w *wire) targeter() vegeta.Targeter {
	base := strings.TrimRight(w.sender.Base, "/")
	return func(t *vegeta.Target) error {
		if w.attack.Gate.Shut() {
			return errOver
		}
		w.mu.Lock()
		i := w.next
		w.next++
		call := w.attack.Next(i)
		w.calls = append(w.calls, call)
		w.mu.Unlock()
		t.Method, t.URL, t.Body = call.Method, base+call.Path, call.Body
		t.Header = http.Header{callHeader: {strconv.Itoa(i)}}
		return nil
	}
}

func (w *wire) call(req *http.Request) (int, Call) {
	i, _ := strconv.Atoi(req.Header.Get(callHeader))
	w.mu.Lock()
	defer w.mu.Unlock()
	return i, w.calls[i]
}

// keep records one exchange.
func (w *wire) keep(r record.Record, x *exchange.Exchange) {
	err := w.sender.Collector.Add(&r, x)
	if r.Limited() && w.attack.Gate != nil {
		w.attack.Gate.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.records = append(w.records, r)
	if err != nil && w.err == nil {
		w.err = err
		w.cancel()
	}
	if w.attack.Each != nil && !w.attack.Each(&r) {
		w.cancel()
	}
}
