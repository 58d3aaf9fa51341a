package conformance

import (
	"slices"
)

// Checks returns every check, in the order of the interface.
func Checks() []Check {
	return slices.Concat(
		[]Check{listAll, limitBounds, limitDefault, limitBetween}, statusFilter(), []Check{listedCreated}, listOpen(),
		[]Check{createStatuses, createWithoutStatus, createNames, createCategory, createParallel, createID}, createRefused(),
		[]Check{leftBehind, createOpen, createFill},
		[]Check{getEarly, getExisting, getUnknown, getMalformed, getRemoved},
		[]Check{storeOrders},
		authMissing(), authInvalid(), authScheme(), authFirst(), []Check{authLowerCaseScheme},
		[]Check{elsewhere, remainingLater},
	)
}
