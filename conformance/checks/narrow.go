package checks

import (
	"fmt"
	"slices"

	"petconform/conformance/check"
	"petconform/spec/history"
)

// A request with several odd things at once is cheap to send and hard to read. Where one fails, its parts are sent alone, and the
// finding shows the one that fails as the whole does.

// partStep stands in the steps of the parts, behind the step of the whole.
const partStep = ", part "

// sendParts sends each part of a request alone, if the whole got none of the wanted statuses.
func sendParts(s *check.Sender, whole history.Exchange, wanted []int, parts ...check.Request) {
	if !whole.Answered() || whole.Limited() || slices.Contains(wanted, whole.Status()) {
		return
	}
	for i, part := range parts {
		part.Step = fmt.Sprint(whole.Step, partStep, i+1)
		s.Do(part)
	}
}

// narrowest returns the request with the smallest part that fails as the whole does, or the whole.
func narrowest(j *check.Judge, step string) history.Exchange {
	smallest := j.Step(step)
	for _, x := range j.Steps(step + partStep) {
		if x.Answered() && x.Status() == smallest.Status() {
			smallest = x
		}
	}
	return smallest
}
