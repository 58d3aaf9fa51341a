package clients

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
)

// connection is a connection with what a Watcher knows of it. A nil connection means that the connection of a request
// is not known.
type connection struct {
	net.Conn
	number int
	opened time.Time

	// unread counts the connections of a Watcher that ended after bytes which were no whole head of a request.
	unread *atomic.Int64

	mu        sync.Mutex
	got, used bool
	// first is the time at which the first byte after the previous request was read, and before the time at which that
	// request was read. If first is zero, the next request arrived together with the previous one.
	first, before time.Time
	// early is the time at which the server read a byte while it handled a request.
	early time.Time
}

type connectionKey struct{}

// maxConnections is the largest number of connections that are open at once. Each may hold a header and a body in
// memory. Further ones wait.
const maxConnections = 256

// Listen returns a listener whose connections record when the first byte of each request arrived, even while the
// service still handles the request before. A [Watcher] needs them.
func Listen(l net.Listener) net.Listener {
	return listener{netutil.LimitListener(l, maxConnections)}
}

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c}, nil
}

// Connected is an http.Server's ConnContext. It numbers the connections.
func (w *Watcher) Connected(ctx context.Context, conn net.Conn) context.Context {
	c, ok := conn.(*connection)
	if !ok {
		c = &connection{}
	}
	c.number, c.opened, c.unread = int(w.opened.Add(1)), time.Now(), &w.unread
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
	return c.Conn.Close()
}

// Read notes the time of the first byte of a request. While net/http handles a request, it reads a single byte of the
// next one.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = true
	now := time.Now()
	switch {
	case len(p) == 1:
		c.early = now
		return n, err
	case c.first.IsZero() && !c.early.IsZero():
		c.first = c.early
	case c.first.IsZero():
		c.first = now
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
	case c.Conn == nil:
		return now, true
	case c.first.IsZero():
		return c.before, true
	}
	return c.first, true
}

// isRead says that the request was read to its end.
func (c *connection) isRead() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first, c.before = time.Time{}, time.Now()
}
