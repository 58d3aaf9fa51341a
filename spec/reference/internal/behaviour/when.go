package behaviour

import (
	"net/http"
	"regexp"
	"slices"
	"sync/atomic"

	"petconform/spec"
)

// When selects calls: by what was sent, or once there is one, by their answer.
type When func(c *Call) bool

var (
	Always    When = func(*Call) bool { return true }
	Succeeded When = func(c *Call) bool { return c.Answer.Status < 300 }
	// Failed selects the error responses of the four operations. The interface says little about other paths.
	Failed = OfOperations.And(func(c *Call) bool { return c.Answer.Status >= 400 })
	// OfOperations selects the calls of the four operations.
	OfOperations            When = func(c *Call) bool { return c.Operation != spec.Elsewhere }
	OnList, OnCreate, OnGet      = On(spec.ListPets), On(spec.CreatePet), On(spec.GetPet)
	// Shown selects the answers that show animals, and Read those that show them after the creation.
	Shown     = On(spec.ListPets, spec.CreatePet, spec.GetPet).And(Succeeded)
	Read      = On(spec.ListPets, spec.GetPet).And(Succeeded)
	Lists     = OnList.And(Succeeded)
	Created   = OnCreate.Of(http.StatusCreated)
	Fetched   = OnGet.And(Succeeded)
	EmptyList = OnList.And(func(c *Call) bool { return string(c.Answer.Body) == "[]" })
	Filtered  = OnList.And(func(c *Call) bool { return c.Filter.Status != "" })
	// Keyed selects the calls that carry a valid key.
	Keyed When = func(c *Call) bool { return c.Service.account(c) != nil }
)

// On selects the calls of those operations.
func On(ops ...spec.Operation) When {
	return func(c *Call) bool { return slices.Contains(ops, c.Operation) }
}

// Of selects, of those calls, the ones that are answered with one of those statuses.
func (w When) Of(statuses ...int) When {
	return w.And(func(c *Call) bool { return slices.Contains(statuses, c.Answer.Status) })
}

// Refusing selects the calls that are refused for one of those reasons.
func Refusing(codes ...string) When {
	return func(c *Call) bool { return c.Refused != nil && slices.Contains(codes, c.Refused.Code) }
}

// Every selects each nth call of a service that it is asked about.
func Every(n int64) When {
	var calls atomic.Int64
	return func(*Call) bool { return calls.Add(1)%n == 0 }
}

// And selects the calls that all of them select, asked in that order, and Not those that w does not.
func (w When) And(also ...When) When {
	return func(c *Call) bool {
		return w(c) && !slices.ContainsFunc(also, func(w When) bool { return !w(c) })
	}
}

func (w When) Not() When { return func(c *Call) bool { return !w(c) } }

// Named selects the calls of createPet with a name that a pattern matches, Bodied those with such a body, and
// HeaderLike those with such a header.
func Named(pattern string) When {
	return OnCreate.And(like(func(c *Call) string { return c.Draft.Name }, pattern))
}
func Bodied(pattern string) When {
	return like(func(c *Call) string { return string(c.Body) }, pattern)
}
func HeaderLike(name, pattern string) When {
	return like(func(c *Call) string { return c.Request.Header.Get(name) }, pattern)
}

// BeyondPlane matches a character beyond the Basic Multilingual Plane.
const BeyondPlane = `[^\x00-\x{ffff}]`

func like(of func(c *Call) string, pattern string) When {
	re := regexp.MustCompile(pattern)
	return func(c *Call) bool { return re.MatchString(of(c)) }
}
