package clients

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

func ownClient(d *desk) {
	c, err := client.New(client.Config{Base: d.base, Key: exchange.NewSecret(d.key), Transport: d.program()})
	if err != nil {
		d.t.Fatal(err)
	}
	for i := range 150 {
		call := client.Call{Method: http.MethodGet, Path: "/pets?limit=100"}
		if i%10 == 0 {
			call = client.Call{Method: http.MethodPost, Path: "/pets", Body: fmt.Appendf(nil, `{"name":"Rex","categoryId":%d}`, i)}
		}
		if _, err := c.Send(context.Background(), call); err != nil {
			return // it ends after six 429s in a row
		}
	}
}

// wholeSeconds waits as a program does whose clock has whole seconds.
func wholeSeconds(d *desk) {
	p := d.program()
	time.Sleep(900 * time.Millisecond)
	a := p.spend()
	for range 8 {
		time.Sleep(time.Until(time.Unix(time.Now().Unix(), 0).Add(a.wait())))
		if a = p.list(); !a.limited() {
			a = p.spend()
		}
	}
}

// byDate waits until the date in Retry-After, by its own clock.
func byDate(d *desk) {
	p := d.program()
	again(p, p.spend(), 1, func(a answer) time.Duration {
		at, err := http.ParseTime(a.Header.Get("Retry-After"))
		if err != nil {
			d.t.Fatal(err)
		}
		return time.Until(at)
	})
}

// backOff comes back twelve times after the longer of Retry-After and a backoff.
func backOff(d *desk, backoff func(i int) time.Duration) {
	p := d.program()
	a := p.spend()
	for i := 0; i < 12 && a.limited(); i++ {
		time.Sleep(max(a.wait(), backoff(i)))
		a = p.list()
	}
}

func threads(n int, run func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { run(i) })
	}
	wg.Wait()
}

// pool sends ten requests side by side, each on its own connection. One of them is refused, and those that the machine holds up come
// after it.
func pool(d *desk, heldUp time.Duration) {
	p := d.freshProgram()
	for range 58 {
		p.list()
	}
	threads(10, func(i int) {
		if i > 2 {
			time.Sleep(heldUp)
		}
		p.list()
	})
}

// fanOut sends twelve requests side by side, and each of them again after 10 ms if it is refused.
func fanOut(d *desk, tries int) {
	p := d.program()
	threads(12, func(i int) {
		for n := 0; n <= tries && p.do(http.MethodGet, fmt.Sprintf("/pets?limit=%d", i+1), "").limited(); n++ {
			time.Sleep(10 * time.Millisecond)
		}
	})
}

// slowLoop sends requests one after another, whatever comes, each on its own connection.
func slowLoop(d *desk, held time.Duration) {
	p := d.freshProgram()
	for range 25 {
		p.list()
		time.Sleep(100*time.Millisecond + held)
	}
}

// fromAfar lets clients come from another machine, on their own connections.
func fromAfar(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.0.2.1:40000"
		next.ServeHTTP(out, r)
	})
}

// several programs share a key; each waits after its own 429 only. Without an agent each has its own.
func several(d *desk, n int, agent string) {
	threads(n, func(i int) {
		p := d.freshProgram()
		p.set.Set("User-Agent", agent)
		if agent == "" {
			p.set.Set("User-Agent", fmt.Sprintf("program %d", i))
		}
		time.Sleep(time.Duration(i) * 1100 * time.Millisecond)
		for range 40 {
			if a := p.list(); a.limited() {
				time.Sleep(a.wait())
			}
			time.Sleep(time.Duration(n) * 1100 * time.Millisecond / 4)
		}
	})
}

// spendFor lists through a proxy until a 429 comes.
func (p *program) spendFor(host string) {
	for range 100 {
		if a := p.do(http.MethodGet, "/pets", "", "X-Forwarded-For", host); a.limited() {
			return
		}
	}
}

// outage answers every second request 503.
func outage(next http.Handler) http.Handler {
	n := 0
	w := next.(*Watcher)
	service := w.Service
	w.Service = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if n++; n%2 == 0 {
			http.Error(out, "{}", http.StatusServiceUnavailable)
			return
		}
		service.ServeHTTP(out, r)
	})
	return w
}

// redirect sends clients of an old address to the new one.
func redirect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if rest, old := strings.CutPrefix(r.URL.Path, "/old/"); old {
			http.Redirect(out, r, "/v1/"+rest, http.StatusPermanentRedirect)
			return
		}
		next.ServeHTTP(out, r)
	})
}

func unsureOf(r verdict.Results) []spec.ID {
	var out []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Inconclusive {
			out = append(out, q.ID)
		}
	}
	return out
}

// holds reports whether nothing that the client met is broken or unclear.
func holds(r verdict.Results) bool {
	return r.Verdict == verdict.Conforms
}
