package reference

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The bounds of a connection. Without them a silent client could hold one for ever.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	grace         = 10 * time.Second
)

// Serve answers on the listener until ctx ends. Then it accepts no more requests, waits up to ten seconds for those in
// flight, closes the connections that are still open, and returns nil. It does not close the service.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	return s.ServeBehind(ctx, l, Front{Handler: s, Grace: grace})
}

// Front is what stands between the connections and the service.
type Front struct {
	http.Handler
	// Connected gives the context of a connection. It may be nil.
	Connected func(context.Context, net.Conn) context.Context
	// Grace is how long requests in flight may take once ctx has ended. After that the connections are closed.
	Grace time.Duration
}

// ServeBehind is Serve with a handler in front of the service.
func (s *Service) ServeBehind(ctx context.Context, l net.Listener, front Front) error {
	logger := cmp.Or(s.behaviour.Logger, slog.New(slog.DiscardHandler))
	server := &http.Server{
		Handler:                      front.Handler,
		ConnContext:                  front.Connected,
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	inTime, cancel := context.WithTimeout(context.WithoutCancel(ctx), front.Grace)
	defer cancel()
	err := server.Shutdown(inTime)
	if errors.Is(err, context.DeadlineExceeded) { // a client that sends half a request, or does not read its response
		err = server.Close()
	}
	if serving := <-ended; !errors.Is(serving, http.ErrServerClosed) {
		err = errors.Join(err, serving)
	}
	return err
}
