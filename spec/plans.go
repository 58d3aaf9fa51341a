package spec

import (
	"strings"
	"time"
)

// Plan is the number of requests that a key may send (Limits / Rate limits by plan).
type Plan struct {
	Name string
	// PerMinute and PerDay are numbers of requests. 0 means that the interface gives no number ("custom").
	PerMinute, PerDay int64
}

// The plans by name, as the interface's table has them.
var (
	Free       = Plan{"Free", 60, 1_000}
	Pro        = Plan{"Pro", 300, 10_000}
	Business   = Plan{"Business", 1_000, 100_000}
	Enterprise = Plan{"Enterprise", 0, 0}
)

// Plans lists the four plans in the interface's order.
func Plans() []Plan { return []Plan{Free, Pro, Business, Enterprise} }

// PlanNamed returns the plan with the name, in upper or lower case.
func PlanNamed(name string) (Plan, bool) {
	for _, p := range Plans() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Plan{}, false
}

// Removal is the day on which getPet is to be removed (Versioning). The operation must work before that day.
var Removal = time.Date(2030, time.December, 5, 0, 0, 0, 0, time.UTC)

// InterfaceVersion is the version of the interface description (Versioning).
const InterfaceVersion = "1.0.0"
