package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// Config is what a client needs to know.
type Config struct {
	// Base is the base address of the target; paths are appended to it.
	Base *url.URL
	// Key is the target's key; OtherKey, a second one, may be zero.
	Key, OtherKey exchange.Secret
	// Transport carries the requests; nil means one made by NewTransport.
	Transport http.RoundTripper
	// Timeout bounds one exchange, from dialling to the last byte. Default 30 s.
	Timeout time.Duration
	// MaxBody is how much of a body is read and kept, in bytes after decoding. Default 4 MiB.
	MaxBody int64
	// MaxWait bounds one wait for the target's allowance; a longer one ends the run. Default 5 min.
	MaxWait time.Duration
	// MaxRequests bounds what is sent in all; 0 means no bound.
	MaxRequests int
	// UserAgent names the tool; the check is added to it.
	UserAgent string
	// Record takes each exchange as it ends, in the order of ending, from one goroutine at a time.
	Record func(exchange.Exchange) error
	// Waiting is told of every wait for the allowance of more than a second; it may be nil.
	Waiting func(why string, wait time.Duration)
}

// Client sends requests to one target. It may be used from several goroutines.
type Client struct {
	cfg       Config
	base      string
	transport http.RoundTripper
	redactor  *exchange.Redactor
	pacers    [2]*pacer
	// unkeyed is the pacer's gate for requests without a valid key, which are counted elsewhere if at all.
	unkeyed gate

	mu     sync.Mutex
	sent   int
	failed error
	waits  waits
}

// Defaults of Config.
const (
	DefaultTimeout = 30 * time.Second
	DefaultMaxBody = 4 << 20
	DefaultMaxWait = 5 * time.Minute
)

// Errors that end a run. Each is wrapped with what was wanted and what came.
var (
	// ErrAllowance: the target's allowance is spent for longer than Config.MaxWait, or it never lets a request through.
	ErrAllowance = errors.New("the target's allowance is spent")
	// ErrBudget: Config.MaxRequests are sent.
	ErrBudget = errors.New("the request budget is spent")
)

// ParseBase reads a base address: http or https, a host, and no user information, query or fragment.
func ParseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the target %q is no URL: one like https://host/v1 is wanted", raw)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the target %q is no base address: one that begins with http:// or https:// and a host is wanted, like https://host/v1", raw)
	case u.User != nil:
		return nil, errors.New("the target carries a user name or a password; give the API key in PETCONFORM_KEY or --key-file instead")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the target %q has a query or a fragment; paths are appended to a base address, so it can't", raw)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// New makes a client. The config's zero values are replaced by the defaults.
func New(cfg Config) (*Client, error) {
	if cfg.Base == nil {
		return nil, errors.New("client: a base address is wanted")
	}
	for _, k := range []exchange.Secret{cfg.Key, cfg.OtherKey} {
		if err := k.Validate(); err != nil {
			return nil, err
		}
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MaxBody <= 0 {
		cfg.MaxBody = DefaultMaxBody
	}
	if cfg.MaxWait <= 0 {
		cfg.MaxWait = DefaultMaxWait
	}
	if cfg.Record == nil {
		cfg.Record = func(exchange.Exchange) error { return nil }
	}
	if cfg.Transport == nil {
		cfg.Transport = NewTransport(DefaultConnections)
	}
	c := &Client{cfg: cfg, base: strings.TrimRight(cfg.Base.String(), "/"), transport: cfg.Transport,
		redactor: exchange.NewRedactor(cfg.Key, cfg.OtherKey)}
	c.unkeyed.wait, c.unkeyed.maxWait = c.wait, cfg.MaxWait
	for i := range c.pacers {
		c.pacers[i] = newPacer(cfg.MaxWait, c.wait)
	}
	return c, nil
}

// Requests is how many requests were sent.
func (c *Client) Requests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

// Waited is the time in which the run waited for the allowance, in waits of more than a second.
func (c *Client) Waited() time.Duration { return c.waits.spent() }

// Err is the error that ended the run, if one did.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// fail keeps the first error that ends the run.
func (c *Client) fail(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = err
	}
	return c.failed
}

// number gives the next exchange its number.
func (c *Client) number() (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return 0, c.failed
	}
	if c.cfg.MaxRequests > 0 && c.sent >= c.cfg.MaxRequests {
		c.failed = fmt.Errorf("%w: %d requests were allowed", ErrBudget, c.cfg.MaxRequests)
		return 0, c.failed
	}
	c.sent++
	return c.sent, nil
}

func (c *Client) record(x exchange.Exchange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.cfg.Record(x); err != nil && c.failed == nil {
		c.failed = fmt.Errorf("the recording could not be written: %w", err)
	}
	return c.failed
}

// wait sleeps for d unless ctx ends first. What is told and counted is the run's waiting, not each waiter's.
func (c *Client) wait(ctx context.Context, why string, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if d > time.Second {
		if c.waits.begin(why, time.Now().Add(d)) && c.cfg.Waiting != nil {
			c.cfg.Waiting(why, d)
		}
		defer c.waits.end()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// waits adds up the time in which at least one request waits for the allowance.
type waits struct {
	mu      sync.Mutex
	under   int
	since   time.Time
	total   time.Duration
	told    string
	through time.Time
}

// begin counts a waiter; it says whether the wait is news.
func (w *waits) begin(why string, until time.Time) (news bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.under++; w.under == 1 {
		w.since = time.Now()
	}
	news = why != w.told || until.After(w.through.Add(10*time.Second))
	if news {
		w.told, w.through = why, until
	}
	return news
}

func (w *waits) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.under--; w.under == 0 {
		w.total += time.Since(w.since)
	}
}

func (w *waits) spent() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}
