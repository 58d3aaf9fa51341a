package page_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// need skips loudly where something that the browser tests need is missing, and fails in CI, where nothing may be missing.
func need(t *testing.T, what string, ok bool) {
	t.Helper()
	switch {
	case ok:
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is wanted in CI and is not there", what)
	default:
		t.Skipf("SKIPPED: %s is not there, so the page was not looked at in a browser", what)
	}
}

// browser starts Chromium once for all tests.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, exec.ErrNotFound
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Do(ctx)
})

// tab opens a page that is served from here and gives what it asked the network for beyond itself.
type tab struct {
	ctx context.Context
	url string

	mu    sync.Mutex
	asked []string
	// said is what the browser logged: a policy that was broken, for one.
	said []string
}

// look is how a tab is opened.
type look struct {
	width, height int64
	dark          bool
	noScript      bool
	// csp is a header that the server sends, beside the policy of the page itself.
	csp  string
	hash string
}

func open(t *testing.T, html []byte, l look) *tab {
	t.Helper()
	parent, err := browser()
	need(t, "Chromium", err == nil)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if l.csp != "" {
			w.Header().Set("Content-Security-Policy", l.csp)
		}
		_, _ = w.Write(html)
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(stop)
	b := &tab{ctx: ctx, url: srv.URL + "/report.html"}
	b.do(t)
	noError(t, chromedp.Listen(ctx, b.listen))
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	if l.width == 0 {
		l.width, l.height = 1280, 900
	}
	call(t, b, network.Enable, network.EnableParams{})
	call(t, b, log.Enable, cdp.Empty{})
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.noScript})
	b.do(t, chromedp.EmulateViewport(l.width, l.height), chromedp.Navigate(b.url+l.hash))
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.url) && !strings.HasPrefix(e.Request.URL, "data:") {
			b.asked = append(b.asked, e.Request.URL)
		}
	case *log.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text)
	}
}

// heard returns what the browser logged, and what it was asked for beyond the page.
func (b *tab) heard() (said, asked []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.said), slices.Clone(b.asked)
}

func (b *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	noError(t, chromedp.Do(b.ctx, actions...))
}

func call[P, R any](t *testing.T, b *tab, cmd cdp.Command[P, R], params P) R {
	t.Helper()
	r, err := chromedp.Call(b.ctx, cmd, params)
	noError(t, err)
	return r
}

func eval[T any](t *testing.T, b *tab, expression string) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	noError(t, err)
	return v
}
