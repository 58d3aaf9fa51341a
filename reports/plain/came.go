package plain

import (
	"fmt"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// failureShown bounds what is told of a request that failed.
const failureShown = 200

// Came says in a few words what came of a request.
func Came(x exchange.Exchange) string {
	switch {
	case x.Failure != nil && x.Response != nil:
		return fmt.Sprintf("%d, then %s: %s", x.Status(), x.Failure.Kind, Clip(Line(x.Failure.Detail), failureShown))
	case x.Failure != nil:
		return fmt.Sprintf("%s: %s", x.Failure.Kind, Clip(Line(x.Failure.Detail), failureShown))
	case x.Response == nil:
		return "nothing"
	}
	took := spec.Number(x.Done.Milliseconds()) + " ms"
	if x.Done < time.Millisecond {
		took = "under 1 ms"
	}
	return fmt.Sprintf("%d, %s, %s", x.Status(), spec.Count(int(x.Response.Size), "byte"), took)
}
