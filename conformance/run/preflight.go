package run

import (
	"context"
	"errors"
	"net/http"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// preflight ends a run against something that is not the service: a wrong address or a refused key would show as a
// hundred deviations, or as none. When the first listing is not a 200, two more requests are sent to see whether any
// operation answers.
func (r *Run) preflight(ctx context.Context) error {
	h := r.History()
	if len(h.All) == 0 {
		return errors.Join(r.client.Err(), context.Cause(ctx))
	}
	attempts := h.OfRow(h.All[0].Check, h.All[0].Step)
	x := attempts[len(attempts)-1]
	ask := func(row plan.Row) { _, _ = r.ask(ctx, plan.Request{Check: judge.Preflight, Row: row}) }
	switch {
	case x.Status() == http.StatusOK && !judge.LooksLikeAPage(x):
	case errors.Is(r.client.Err(), client.ErrSilent), x.Failure != nil && x.Failure.Kind == exchange.Unreachable:
	default:
		ask(plan.Row{Step: "limit=1", Path: "/pets?limit=1"})
		if !r.ReadOnly { // a service that has createPet refuses a body without any field
			ask(plan.Row{Step: "empty-object", Method: http.MethodPost, Path: "/pets", Body: "{}"})
		}
	}
	if err := errors.Join(r.client.Err(), context.Cause(ctx)); err != nil && !errors.Is(err, client.ErrSilent) {
		return err
	}
	return judge.NoTarget(r.History())
}
