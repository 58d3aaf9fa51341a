package checks

import (
	"petconform/conformance/check"
	"petconform/spec/history"
)

// A request with several odd things at once is cheap to send and hard to read. Where one fails, its parts are sent alone, and the
// finding shows the one that fails as the whole does.

// partStep stands in the steps of the parts, behind the step of the whole.
const partStep = ", part "

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
