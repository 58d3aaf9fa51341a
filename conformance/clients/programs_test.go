package clients

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// The ways in which clients wait after a 429.
func asked(a answer) time.Duration { return a.wait() }

func fixed(d time.Duration) func(answer) time.Duration {
	return func(answer) time.Duration { return d }
}

func part(percent time.Duration) func(answer) time.Duration {
	return func(a answer) time.Duration { return a.wait() * percent / 100 }
}

// retries spends the allowance, and lists some times more.
func retries(times int, wait func(answer) time.Duration) func(*desk) {
	return func(d *desk) {
		p := d.program()
		p.again(p.spend(), times, wait)
	}
}

// freshRetries is retries with a connection for each request.
func freshRetries(times int, wait func(answer) time.Duration) func(*desk) {
	return func(d *desk) {
		p := d.freshProgram()
		p.again(p.spend(), times, wait)
	}
}

// with lists once, with headers of its own.
func with(pairs ...string) func(*desk) {
	return func(d *desk) { d.program().do("GET", "/pets", "", pairs...) }
}

// get lists, so that an operation was called, and sends GETs.
func get(paths ...string) func(*desk) {
	return func(d *desk) {
		p := d.program()
		p.list()
		for _, path := range paths {
			p.get(path)
		}
	}
}

func post(body string, pairs ...string) func(*desk) {
	return func(d *desk) { d.program().do(http.MethodPost, "/pets", body, pairs...) }
}

// sendBack asks for an animal that a listing shows, by an id that went through write.
func sendBack(write func(int64) string) func(*desk) {
	return func(d *desk) {
		p := d.program()
		_, after, _ := strings.Cut(p.list().body, `"id":`)
		var id int64
		_, err := fmt.Sscan(after, &id)
		noError(d.t, err)
		p.get("/pets/" + write(id))
	}
}

// both runs one client after the other.
func both(runs ...func(*desk)) func(*desk) {
	return func(d *desk) {
		for _, run := range runs {
			run(d)
		}
	}
}

func threads(n int, run func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { run(i) })
	}
	wg.Wait()
}

func ownClient(d *desk) {
	base := &url.URL{Scheme: "http", Host: "desk", Path: "/v1"}
	c, err := client.New(client.Config{Base: base, Key: exchange.NewSecret(deskKey), Transport: d.program()})
	noError(d.t, err)
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
func byDate(a answer) time.Duration {
	at, _ := http.ParseTime(a.Header.Get(spec.HeaderRetryAfter))
	return time.Until(at)
}

// pool sends ten requests side by side, each on its own connection. One of them is refused, and those that the machine
// holds up come after it.
func pool(heldUp time.Duration) func(*desk) {
	return func(d *desk) {
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
}

// gated sends from several threads, which all wait as soon as one of them has read a 429.
func gated(n int, p *program, begin, pause time.Duration) {
	var mu sync.Mutex
	var gate time.Time
	threads(n, func(i int) {
		time.Sleep(time.Duration(i) * begin)
		for range 10 {
			mu.Lock()
			until := gate
			mu.Unlock()
			time.Sleep(time.Until(until) + pause)
			if a := p.list(); a.limited() {
				mu.Lock()
				gate = time.Now().Add(a.wait())
				mu.Unlock()
			}
		}
	})
}

// loop lists 25 times, each on its own connection, whatever comes.
func loop(pause time.Duration) func(*desk) {
	return func(d *desk) {
		p := d.freshProgram()
		for range 25 {
			p.list()
			time.Sleep(pause)
		}
	}
}

// copies of a program list and create by turns, and by chance no two requests overlap. Each waits for its own 429.
// Without an agent each has its own.
func copies(n int, agent string) func(*desk) {
	return func(d *desk) {
		threads(n, func(i int) {
			time.Sleep(time.Duration(i) * 7 * time.Millisecond)
			p := d.freshProgram()
			p.set.Set("User-Agent", cmp.Or(agent, fmt.Sprint("program ", i)))
			for n := range 12 {
				send := func() answer { return p.list() }
				if n%2 > 0 {
					send = func() answer {
						return p.do(http.MethodPost, "/pets", fmt.Sprintf(`{"name":"Rex %d","categoryId":1}`, n))
					}
				}
				for a := send(); a.limited(); a = send() {
					time.Sleep(a.wait())
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
}

// fromAfar lets clients come from another machine.
func fromAfar(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.0.2.1:40000"
		next.ServeHTTP(out, r)
	})
}
