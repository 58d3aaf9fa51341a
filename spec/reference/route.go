package reference

import (
	"net/http"
	"strings"

	"petconform/spec"
)

// route finds the operation that the request calls.
func (c *call) route() {
	path, below := strings.CutPrefix(c.request.URL.EscapedPath(), c.service.basePath)
	if !below {
		c.operation = spec.Elsewhere
		return
	}
	c.path = path
	c.operation = spec.OperationOf(c.request.Method, path)
	if c.operation == spec.GetPet {
		c.petID = path[len("/pets/"):]
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
func refuseElsewhere(c *call) *refusal {
	if allow := methods(c.path); allow != "" {
		return &refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed", allow: allow,
			message: "The methods of this path are: " + allow + "."}
	}
	return notFound("The interface names no such path.")
}

// someOrders answers GET /store/orders. The interface shows only that it exists.
func someOrders(*call) answer {
	const list = `[{"id":1,"petId":1,"status":"placed"},{"id":2,"petId":2,"status":"delivered"}]`
	return answer{status: http.StatusOK, mediaType: mediaJSON, body: []byte(list)}
}
