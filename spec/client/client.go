// Package client sends requests to a target and records each exchange. It paces itself by the X-RateLimit headers and
// sends nothing after a 429 until Retry-After has passed. The API key is added to a request after it is recorded.
package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// Config configures a client. Only Base is required.
type Config struct {
	// Base is the base address of the target. Paths are appended to it.
	Base *url.URL
	// Key is the target's API key. OtherKey is a second one, which may be zero.
	Key, OtherKey exchange.Secret
	// Secrets are other secrets that the transport sends, such as headers. They are removed from responses like the
	// keys.
	Secrets   []exchange.Secret
	Transport http.RoundTripper // Transport sends the requests; default NewTransport
	// Timeout is the longest time of one exchange, from dialling to the last byte. Default 30 s.
	Timeout time.Duration
	// MaxBodies is the largest total size of the bodies that are kept, in bytes. Default exchange.MaxBodies.
	MaxBodies int64
	// MaxWait is the longest time of all waits for outages together, and of all waits, to which each response that can be
	// judged gives 3 s back. A run takes at most MaxWait, two and a half time-outs, and for each such response 3 s and a
	// tenth of a time-out. Default DefaultMaxWait. MaxOutage is that of all waits for outages, if it is shorter.
	MaxWait, MaxOutage time.Duration
	// UserAgent names the tool. The check is appended to it.
	UserAgent string
	Record    func(exchange.Exchange) error // called with each exchange when it ends, one call at a time
	// Waiting is called for each wait for the allowance that is longer than a second. It may be nil.
	Waiting func(why string, wait time.Duration)
}

// Client sends requests to one target. It is safe for concurrent use.
type Client struct {
	cfg      Config
	base     string
	recorder roundtrip.Recorder
	pacers   map[exchange.Auth]*pacer // of Key, of OtherKey, and of requests without either: NoKey

	mu     sync.Mutex
	sent   int
	failed error
	bounds *bounds
	out    outages
	// apart gives each request a connection of its own, from when the target closed a kept one in use, which RFC 9112,
	// section 9.5 lets it do: this shows whether it closes those too.
	apart atomic.Bool
}

const DefaultTimeout = 30 * time.Second

const DefaultMaxWait = 5 * time.Minute

// ParseBase parses a base address. It must be http or https with a host, with no port or one that exists, and without
// user information, query and fragment. Its errors do not repeat what may be a secret: a password or a query.
func ParseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return nil, errors.New("the target is not a URL; use one like https://host/v1")
	case u.User != nil:
		return nil, errors.New("the target has a user name or a password; " +
			"set the API key with PETCONFORM_KEY or --key-file instead")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("the target is not a base address; use http:// or https:// and a host, like https://host/v1")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the target has a query or a fragment; remove it, since paths are appended to the base address")
	}
	if n, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || n < 1 || n > 65535) {
		return nil, fmt.Errorf("the target has the port %s; use 1 to 65535", u.Port())
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	if base, pets := strings.CutSuffix(u.Path, "/v1/pets"); pets {
		return nil, fmt.Errorf("the target is the address of listPets and not the base address; did you mean %s://%s%s/v1?",
			u.Scheme, u.Host, base)
	}
	return u, nil
}

// New returns a client. It is an error if Base is nil or the key cannot be sent.
func New(cfg Config) (*Client, error) {
	if cfg.Base == nil {
		return nil, errors.New("client: Config.Base is nil")
	}
	for _, k := range []exchange.Secret{cfg.Key, cfg.OtherKey} {
		if err := k.Validate(); err != nil {
			return nil, err
		}
	}
	cfg.Timeout, cfg.MaxWait = cmp.Or(max(0, cfg.Timeout), DefaultTimeout), cmp.Or(max(0, cfg.MaxWait), DefaultMaxWait)
	cfg.MaxOutage = min(cmp.Or(max(0, cfg.MaxOutage), cfg.MaxWait), cfg.MaxWait)
	cfg.MaxBodies = cmp.Or(cfg.MaxBodies, exchange.MaxBodies)
	if cfg.Record == nil {
		cfg.Record = func(exchange.Exchange) error { return nil }
	}
	if cfg.Transport == nil {
		cfg.Transport = NewTransport(DefaultConnections)
	}
	secrets := append([]exchange.Secret{cfg.Key, cfg.OtherKey}, cfg.Secrets...)
	c := &Client{cfg: cfg, base: strings.TrimRight(cfg.Base.String(), "/"),
		pacers: map[exchange.Auth]*pacer{}, bounds: newBounds(cfg),
		out: outages{own: map[spec.Operation]bool{}, asking: make(chan struct{}, 1)},
		recorder: roundtrip.Recorder{Redactor: exchange.NewRedactor(secrets...).Sparing(cfg.Base.String()),
			MaxBody: exchange.MaxBody, Bodies: exchange.NewBodies(cfg.MaxBodies)}}
	for _, auth := range []exchange.Auth{exchange.Key, exchange.OtherKey, exchange.NoKey} {
		c.pacers[auth] = &pacer{wait: c.wait, maxWait: cfg.MaxWait, ignored: !auth.Valid()}
	}
	return c, nil
}

// Requests is the number of requests that were sent.
func (c *Client) Requests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

// Bodies returns how many bytes of bodies are kept, and how many may be.
func (c *Client) Bodies() (kept, most int64) { return c.recorder.Bodies.Used() }

// Err is the error that ended the run, or nil.
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

func (c *Client) number() (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
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
