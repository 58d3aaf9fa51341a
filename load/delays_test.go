package load

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/limiter"
)

// delaying holds each response back until the bucket behind it has refilled to a part of the limit, as nginx's limit_req does.
type delaying struct {
	http.ResponseWriter
	part int64
}

func (d delaying) WriteHeader(status int) {
	a, ok := exchange.AllowanceOf(d.Header())
	if beyond := a.Limit/d.part - a.Remaining; ok && status != http.StatusTooManyRequests && status != http.StatusUnauthorized && beyond > 0 {
		time.Sleep(time.Duration(beyond) * time.Minute / time.Duration(a.Limit))
	}
	d.ResponseWriter.WriteHeader(status)
}

// TestABucketThatDelaysConforms has a bucket that delays requests before it refuses any, so that 16 in flight never empty it.
func TestABucketThatDelaysConforms(t *testing.T) {
	t.Parallel()
	for _, plan := range []spec.Plan{spec.Free, spec.Pro} {
		for _, part := range []int64{3, 6} {
			t.Run(fmt.Sprintf("%s/the last 1 of %d", plan.Name, part), func(t *testing.T) {
				t.Parallel()
				lawful(t, scene{kind: limiter.TokenBucket, plans: []spec.Plan{plan}, handler: func(h http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(delaying{w, part}, r) })
				}}, "")
			})
		}
	}
}
