package clients

import (
	"cmp"
	"context"
	"maps"
	"net"
	"slices"
	"sync"
	"time"
)

const (
	// maxConnections is the largest number of connections that are open at once. Each may hold a header and a body in
	// memory.
	maxConnections = 256
	// idleTime is how long a connection may be without a whole request before another one may take its place, if there
	// are too many, and answerTime how long the answer to a whole request may take.
	idleTime, answerTime = 100 * time.Millisecond, 5 * time.Second
)

// connections are those of a Watcher. mu guards what changes in each of them.
type connections struct {
	net.Listener
	mu sync.Mutex
	// open has those that may be closed in favour of another one. It is nil without Listen.
	open   map[*connection]bool
	opened int
}

// connection is a connection with what a Watcher knows of it. One that did not come through Listen has no net.Conn.
type connection struct {
	net.Conn
	of     *connections
	number int
	// spared is the time from which it may be closed in favour of another one.
	spared time.Time
	// early is the time at which it was opened, or that of a byte which the server read while it handled a request: the
	// client sent that before it had read the response. It is zero when the next request is handled. read is early, or
	// the time at which bytes came last.
	early, read time.Time
}

type connectionKey struct{}

// Listen returns a listener with at most maxConnections open connections. A further one takes the place of the one that
// has been idle for longest, or as long without a whole request. So idle connections, slow headers and slow bodies keep
// no client out. Without it, a Watcher does not know when a client began to send.
func (w *Watcher) Listen(l net.Listener) net.Listener {
	w.connections.Listener, w.connections.open = l, map[*connection]bool{}
	return &w.connections
}

// Connected is an http.Server's ConnContext. A Watcher tells connections apart by it.
func (w *Watcher) Connected(ctx context.Context, conn net.Conn) context.Context {
	c, listened := conn.(*connection)
	if !listened {
		c = w.connections.add(nil)
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// Accept returns the next connection, as soon as there is room for it.
func (all *connections) Accept() (net.Conn, error) {
	conn, err := all.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for all.full() {
		time.Sleep(idleTime / 10)
	}
	return all.add(conn), nil
}

// full closes a connection if there are too many, and reports whether none may be closed yet.
func (all *connections) full() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.open) < maxConnections {
		return false
	}
	first := slices.MinFunc(slices.Collect(maps.Keys(all.open)), func(c, d *connection) int {
		return c.spared.Compare(d.spared)
	})
	if time.Now().Before(first.spared) {
		return true
	}
	delete(all.open, first)
	_ = first.Conn.Close()
	return false
}

func (all *connections) add(conn net.Conn) *connection {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.opened++
	now := time.Now()
	c := &connection{Conn: conn, of: all, number: all.opened, early: now, spared: now.Add(idleTime)}
	if all.open != nil {
		all.open[c] = true
	}
	return c
}

// spare keeps the connection for a time.
func (c *connection) spare(d time.Duration) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.spared = time.Now().Add(d)
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// Read notes the time. While net/http handles a request, it reads a single byte of the next one.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	now := time.Now()
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	switch {
	case n == 0:
	case len(p) == 1:
		c.early = now
	default:
		c.read = cmp.Or(c.early, now)
	}
	return n, err
}

// begins returns the time at which the client began to send the request that is about to be handled, or opened the
// connection for it.
func (c *connection) begins(now time.Time) time.Time {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	began := cmp.Or(c.read, c.early, now) // without Listen nothing is read
	c.early = time.Time{}
	return began
}
