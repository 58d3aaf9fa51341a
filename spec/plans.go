package spec

import (
	"strings"
	"time"
)

// Plan is what a key may spend (Limits / Rate limits by plan).
type Plan struct {
	Name string
	// PerMinute and PerDay count requests; 0 means that the interface leaves the number to the contract ("custom").
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

// PlanNamed finds a plan by its name, whatever the case.
func PlanNamed(name string) (Plan, bool) {
	for _, p := range Plans() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Plan{}, false
}

// Removal is the day on which getPet is to be removed (Versioning). Until it begins the operation must work.
var Removal = time.Date(2030, time.December, 5, 0, 0, 0, 0, time.UTC)

// InterfaceVersion is the version of the interface description (Versioning).
const InterfaceVersion = "1.0.0"
