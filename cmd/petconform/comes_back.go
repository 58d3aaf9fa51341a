package main

import (
	"context"
	"net"
	"net/url"
	"time"
)

// The intervals between attempts to connect to the target. A restart on this machine may take less than a second; a remote target
// is tried less often.
const (
	nearLook = 100 * time.Millisecond
	farLook  = 2 * time.Second
)

// local reports whether a target is on this machine.
func local(base *url.URL) bool {
	ip := net.ParseIP(base.Hostname())
	return base.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// comesBack returns a channel that receives a value each time the target accepts connections again after it refused one. It sends
// no request.
func comesBack(ctx context.Context, base *url.URL) <-chan struct{} {
	back := make(chan struct{})
	every := farLook
	if local(base) {
		every = nearLook
	}
	go func() {
		down := false
		for tick := time.NewTicker(every); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			up := accepts(ctx, base)
			if up && down {
				select {
				case back <- struct{}{}:
				case <-ctx.Done():
				}
			}
			down = !up
		}
	}()
	return back
}

func accepts(ctx context.Context, base *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostPort(base))
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}
