// Package checks has the checks, one file a behaviour, named after the operation: list_, create_, get_ and auth_.
package checks

import (
	"slices"

	"petconform/conformance/check"
)

// All returns every check, in the order of the interface.
func All() []check.Check {
	return slices.Concat(
		[]check.Check{ListAll, limitBounds, limitDefault, limitBetween}, statusFilter(), []check.Check{ListedCreated}, listOpen(),
		[]check.Check{createStatuses, createWithoutStatus, createNames, createCategory, createParallel, createID}, createRefused(),
		[]check.Check{leftBehind, listAgain, createOpen, createFill},
		[]check.Check{getEarly, getExisting, getUnknown, getMalformed, getRemoved},
		[]check.Check{storeOrders},
		authRefused(), authFirst(), []check.Check{authAtOnce, authLowerCaseScheme},
		[]check.Check{elsewhere, remainingLater},
	)
}
