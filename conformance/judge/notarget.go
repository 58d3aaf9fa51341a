package judge

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"petconform/conformance/plan"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// ErrNoTarget means that there is no service to judge: nothing answers at the address, the key is refused, or the path
// is wrong.
var ErrNoTarget = errors.New("there is no service to judge")

// Preflight names the requests in the recording that show whether there is a service to judge.
const Preflight = "preflight"

// NoTarget says that there is no service to judge, if the first responses of a run show that.
func NoTarget(h *history.History) error {
	first, more := last(h.Of(plan.All()[0].ID)), last(h.Of(Preflight))
	if len(first) == 0 {
		return fmt.Errorf("%w: nothing was sent", ErrNoTarget)
	}
	x, seen := first[0], slices.Concat(first[:1], more)
	if len(more) == 0 && (x.Failure == nil || x.Failure.Kind == exchange.Stopped || x.Status() == http.StatusOK) {
		return nil // the preflight went on; the body of a 200 may be cut off or not decode
	}
	if told := history.NoService(h.Meta, seen); told != "" {
		return fmt.Errorf("%w: %s", ErrNoTarget, told)
	}
	return nil
}
