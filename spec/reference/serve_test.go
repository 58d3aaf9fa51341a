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
