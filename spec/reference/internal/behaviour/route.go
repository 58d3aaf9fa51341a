package behaviour

import (
	"net/http"
	"strings"

	"petconform/spec"
)

// Route finds the operation that the request calls.
func (c *Call) route() {
	path, below := strings.CutPrefix(c.Request.URL.EscapedPath(), c.Service.BasePath)
	if !below {
		c.Operation = spec.Elsewhere
		return
	}
	c.Path = path
	c.Operation = spec.OperationOf(c.Request.Method, path)
	if c.Operation == spec.GetPet {
		c.PetID = path[len("/pets/"):]
	}
}

// methods lists the methods of a path; "" for a path that the interface does not name.
func methods(path string) string {
	one, isOne := strings.CutPrefix(path, "/pets/")
	switch {
	case path == "/pets":
		return "GET, POST"
	case path == "/store/orders", isOne && one != "" && !strings.Contains(one, "/"):
		return "GET"
	}
	return ""
}

// refuseElsewhere answers a path or a method that the interface does not name, after the key is checked.
func refuseElsewhere(c *Call) *Refusal {
	if allow := methods(c.Path); allow != "" {
		return &Refusal{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", allow: allow,
			Message: "The methods of this path are: " + allow + "."}
	}
	return NotFound("The interface names no such path.")
}

// SomeOrders answers GET /store/orders. The interface shows only that it exists.
func SomeOrders(*Call) Answer {
	const list = `[{"id":1,"petId":1,"status":"placed"},{"id":2,"petId":2,"status":"delivered"}]`
	return Answer{Status: http.StatusOK, MediaType: MediaJSON, Body: []byte(list)}
}
