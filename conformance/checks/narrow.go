package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec/history"
)

// A request with several odd things at once is cheap to send and hard to read. Where one fails, its parts are sent
// alone, and the finding shows the one that fails as the whole does.

// partStep stands in the steps of the parts, behind the step of the whole.
const partStep = ", part "

// partsOf returns the parts of a request, each with a step of its own, unless the request got what it has to get.
func partsOf(whole history.Exchange, kept bool, parts ...check.Request) []check.Request {
	if kept || !whole.Answered() || whole.Limited() {
		return nil
	}
	for i := range parts {
		parts[i].Step = fmt.Sprint(whole.Step, partStep, i+1)
	}
	return parts
}

// narrowest returns the request with the smallest part that fails as the whole does, or the whole.
func narrowest(j *check.Judge, step string) history.Exchange {
	smallest := j.Step(step)
	for _, x := range j.Beside(step + partStep) {
		if x.Answered() && x.Status() == smallest.Status() {
			smallest = x
		}
	}
	return smallest
}
