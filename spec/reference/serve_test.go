package reference

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"petconform/spec/reference/internal/behaviour"
)

func TestServeEndsInOrder(t *testing.T) {
	cfg := testConfig()
	cfg.Now = time.Now
	s := newService(t, cfg)
	entered, leave := make(chan struct{}), make(chan struct{})
	write := s.behaviour.Write
	s.behaviour.Write = func(c *behaviour.Call, a behaviour.Answer) {
		close(entered)
		<-leave
		write(c, a)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended, answered := make(chan error, 1), make(chan string, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	go func() {
		r, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("http://%s/v1/store/orders", l.Addr()), nil)
		r.Header.Set("Authorization", "Bearer "+testKey)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer w.Body.Close()
		body, err := io.ReadAll(w.Body)
		answered <- fmt.Sprint(w.StatusCode, len(body) > 0, err)
	}()
	<-entered
	stop()
	close(leave)
	if got := <-answered; got != "200 true <nil>" {
		t.Errorf("the request under way was to be answered, but: %s", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("want nil from Serve, got %v", err)
	}
}

// TestServeDoesNotWaitForSilence: a connection on which nothing comes, or half a header, does not delay the end.
func TestServeDoesNotWaitForSilence(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "half a header": "GET /v1/pets HTTP/1.1\r\nHost: p"} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.Background())
			accepted, ended := make(chan struct{}), make(chan error, 1)
			front := Front{Handler: newService(t, testConfig()), Grace: time.Hour, Connected: func(ctx context.Context, _ net.Conn) context.Context {
				close(accepted)
				return ctx
			}}
			go func() { ended <- newService(t, testConfig()).ServeBehind(ctx, l, front) }()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, text); err != nil {
				t.Fatal(err)
			}
			<-accepted
			stop()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("want nil, got %v", err)
				}
			case <-time.After(4 * time.Second): // net/http gives such connections five seconds
				t.Error("it waits")
			}
		})
	}
}
