package clients

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// connection is a connection with what a Watcher knows of it. One without a number stands for a connection that is not
// known.
type connection struct {
	net.Conn
	number int
	// of is the listener that accepted it, and unread counts the connections of a Watcher that ended after bytes which
	// were no whole head of a request.
	of     *listener
	unread *atomic.Int64
	opened time.Time
	// spared is the Unix time, in nanoseconds, from which it may be closed in favour of another one.
	spared atomic.Int64

	mu sync.Mutex
	// got says that bytes came, and used that a request did.
	got, used bool
	// read is the time at which bytes came last, and early that of a byte which the server read while it handled a
	// request: the client sent that before it had read the response.
	read, early time.Time
}

type connectionKey struct{}

const (
	// maxConnections is the largest number of connections that are open at once. Each may hold a header and a body in
	// memory.
	maxConnections = 256
	// idleTime is how long a connection may be without a whole request before another one may take its place, if there
	// are too many, and answerTime how long the answer to a whole request may take.
	idleTime, answerTime = 100 * time.Millisecond, 5 * time.Second
)

// Listen returns a listener with at most maxConnections open connections. A further one takes the place of the one that
// has been idle for longest, or as long without a whole request. So idle connections, slow headers and slow bodies keep
// no client out. A [Watcher] needs the times that its connections record.
func Listen(l net.Listener) net.Listener {
	return &listener{Listener: l, open: map[*connection]bool{}}
}

type listener struct {
	net.Listener
	mu   sync.Mutex
	open map[*connection]bool
}

func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for c := l.excess(); c != nil; c = l.excess() {
		if wait := time.Until(time.Unix(0, c.spared.Load())); wait <= 0 {
			_ = c.Close()
		} else {
			time.Sleep(min(wait, idleTime/10)) // another one may end before
		}
	}
	c := &connection{Conn: conn, of: l, opened: time.Now()}
	c.spare(idleTime)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[c] = true
	return c, nil
}

// excess is the connection to close before another one is accepted; nil if there is room.
func (l *listener) excess() (first *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) < maxConnections {
		return nil
	}
	for c := range l.open {
		if first == nil || c.spared.Load() < first.spared.Load() {
			first = c
		}
	}
	return first
}

// spare keeps the connection for a time.
func (c *connection) spare(d time.Duration) { c.spared.Store(time.Now().Add(d).UnixNano()) }

// Connected is an http.Server's ConnContext. It numbers the connections.
func (w *Watcher) Connected(ctx context.Context, conn net.Conn) context.Context {
	c, ok := conn.(*connection)
	if !ok {
		c = &connection{opened: time.Now()}
	}
	c.number, c.unread = int(w.opened.Add(1)), &w.unread
	return context.WithValue(ctx, connectionKey{}, c)
}

// Close counts a connection that sent no whole request.
func (c *connection) Close() error {
	c.mu.Lock()
	if c.got && !c.used && c.unread != nil {
		c.unread.Add(1)
		c.got = false // it may be closed twice
	}
	c.mu.Unlock()
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// Read notes the time. While net/http handles a request, it reads a single byte of the next one.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = true
	if len(p) == 1 {
		c.early = time.Now()
		return n, err
	}
	if c.read = c.early; c.early.IsZero() {
		c.read = time.Now()
	}
	c.early = time.Time{}
	return n, err
}

// begins returns the time at which the client began to send the request that is about to be handled, or opened the
// connection for it.
func (c *connection) begins(now time.Time) (began time.Time, reused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	reused, c.used = c.used, true
	switch {
	case !reused:
		return c.opened, false
	case c.Conn == nil: // not of Listen
		return now, true
	}
	return c.read, true
}
