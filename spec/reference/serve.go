package reference

import (
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
// flight, and returns nil. It does not close the service.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	return s.ServeBehind(ctx, l, s, nil)
}

// ServeBehind is Serve with a handler in front of the service. connected gives the context of a connection; nil changes nothing.
func (s *Service) ServeBehind(ctx context.Context, l net.Listener, front http.Handler, connected func(context.Context, net.Conn) context.Context) error {
	server := &http.Server{
		Handler:                      front,
		ConnContext:                  connected,
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn),
	}
	if s.config.Logger != nil {
		server.ErrorLog = slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelWarn)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	inTime, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(inTime); err != nil {
		return errors.Join(err, server.Close())
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
