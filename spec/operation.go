package spec

import (
	"net/http"
	"strings"
)

// Operation names one of the interface's four endpoints (Endpoints).
type Operation string

// The operations. The interface has no name for StoreOrders; ours comes from its path.
const (
	ListPets    Operation = "listPets"
	CreatePet   Operation = "createPet"
	GetPet      Operation = "getPet"
	StoreOrders Operation = "storeOrders"
	// Elsewhere stands for a path or method that the interface does not name.
	Elsewhere Operation = "elsewhere"
)

// Operations lists the four endpoints in the interface's order.
func Operations() []Operation { return []Operation{ListPets, CreatePet, GetPet, StoreOrders} }

// OperationOf returns the operation of a method and a path. The path is relative to the base address, escaped, and may
// have a query: "/pets?limit=1".
func OperationOf(method, path string) Operation {
	path, _, _ = strings.Cut(path, "?")
	one, isOne := strings.CutPrefix(path, "/pets/")
	switch {
	case method == http.MethodGet && path == "/pets":
		return ListPets
	case method == http.MethodPost && path == "/pets":
		return CreatePet
	case method == http.MethodGet && isOne && one != "" && !strings.Contains(one, "/"):
		return GetPet
	case method == http.MethodGet && path == "/store/orders":
		return StoreOrders
	}
	return Elsewhere
}
