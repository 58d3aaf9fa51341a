package sender

import (
	"context"
	"net/http/httptrace"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// flight is what one request needs on its way: its time-out, what net/http tells of it, and room for the answer. The next
// request takes it over when all went well. After a failure net/http may still hold it, so it is given up.
type flight struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer

	connected    bool
	wrote, first time.Time
	// idle says that the connection had not been used for long enough that the other end may have closed it.
	idle bool

	record record.Record
	x      exchange.Exchange
	answer exchange.Response
	header []byte
	body   []byte
	plain  []byte
}

func newFlight() *flight {
	f := &flight{}
	f.ctx, f.cancel = context.WithCancelCause(httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			f.connected, f.idle, f.wrote = true, i.IdleTime > time.Second, time.Now()
		},
		GotFirstResponseByte: func() { f.first = time.Now() },
	}))
	return f
}

// start clears what the last request left, and begins the time-out.
func (f *flight) start(call Call, timeout time.Duration) {
	f.connected, f.idle, f.wrote, f.first = false, false, time.Time{}, time.Time{}
	f.x = exchange.Exchange{Request: exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body}}
	switch {
	case timeout <= 0:
	case f.timer == nil:
		f.timer = time.AfterFunc(timeout, func() { f.cancel(context.DeadlineExceeded) })
	default:
		f.timer.Reset(timeout)
	}
}

// largest is the most room for an answer that is kept for the next one.
const largest = 64 << 10

// end stops the time-out. It says whether the flight may be used again.
func (f *flight) end(err error) bool {
	stopped := f.timer == nil || f.timer.Stop()
	if err != nil || !stopped {
		f.cancel(context.Canceled)
		return false
	}
	return cap(f.body) <= largest && cap(f.plain) <= largest
}
