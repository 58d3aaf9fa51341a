package altered

import (
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// formsLawful are about how a response is written.
var formsLawful = []Rule{
	{"extra-header", Lawful, "A response may carry headers that the interface does not name.",
		func(c Case) bool { return c.at(Header) && c.is(Add) }},
	{"extra-member", Lawful, "An object may carry members that the interface does not name.",
		func(c Case) bool {
			if c.Was.IsError() {
				return c.at(Member) && !c.of("code", "message", "status")
			}
			return c.at(Member) && !c.of("id", "name", "categoryId", "status")
		}},
	{"white-space", Lawful, "JSON allows white space around a value (RFC 8259 section 2).",
		func(c Case) bool { return c.at(Body) && c.how("white space around it") }},
	{"any-order", Lawful, "Members have no order, and the interface promises none for a listing (LIST-15).",
		func(c Case) bool { return c.at(Body) && c.is(Reorder) }},
	{"orders-not-shown", Lawful, "What GET /store/orders answers to a valid key is not shown (ORDERS-1).",
		func(c Case) bool {
			return c.on(spec.StoreOrders) && c.Was.Status() < 400 && c.at(Body, Member, Element, MediaType)
		}},
	{"error-words", Lawful, "The values of code and message are not shown (ERROR-6).",
		func(c Case) bool {
			return c.at(Member) && c.of("code", "message") && c.Was.Status() >= 400 && c.is(Add, Replace, Truncate, Shift) && !c.how("by nothing")
		}},
	{"charset", Lawful, "A media type may carry a charset, be sent twice alike, and has no case (RFC 9110 section 8.3.1).",
		func(c Case) bool {
			return c.at(MediaType) && c.how("by one with charset", "by capitals", "with the same value")
		}},
	{"framing", Lawful, "Content-Length, Content-Encoding, Date are HTTP's own; the client has taken the answer in by them already.",
		func(c Case) bool {
			return c.at(Header) && (c.of("Content-Length", "Content-Encoding", "Connection", "Server", "Vary", "Cache-Control") || c.of("Date") && !c.is(Shift))
		}},
	{"deprecation-unannounced", Lawful, "Whether headers announce the deprecation is not shown (GET-7).",
		func(c Case) bool {
			return c.at(Header) && c.of("Deprecation", "Sunset") && (c.is(Drop, Rename) || c.how("by nothing", "with the same value"))
		}},
	{"deprecated-since-any-day", Lawful, "Since when getPet is deprecated is not shown; any day up to the removal agrees with it.",
		func(c Case) bool {
			return c.at(Header) && c.of("Deprecation") && c.is(Shift, Truncate) && !c.how("beyond int64", "to milliseconds")
		}},
	{"sunset-tolerance", Lawful, "The removal is on a day of no time zone, so a Sunset may be hours off.",
		func(c Case) bool {
			return c.at(Header) && c.of("Sunset") && c.is(Shift) && c.how("by 1s", "by 24h0m0s")
		}},
	{"challenge-form", Lawful, "A 401 may carry several challenges with any parameters; one of them is to name Bearer (RFC 9110 section 11.6.1).",
		func(c Case) bool { return c.at(Header) && c.of("Www-Authenticate") && c.is(Duplicate, Truncate) }},
	{"said-twice", Lawful, "A header that is sent twice with one value says one thing.",
		func(c Case) bool { return c.at(Header) && c.how("with the same value") }},
	{"elsewhere-figures", Lawful, "On a path that the interface does not name the three headers are a should, and their values are nobody's promise.",
		func(c Case) bool {
			return (c.rateHeader() || c.of("Date")) && c.on(spec.Elsewhere) && !c.is(Drop, Rename) && !c.how("by nothing")
		}},
	{"plausible-figures", Lawful, "What a plan's figures are, a load run finds out (RATE-15); one response shows only that they agree.",
		func(c Case) bool {
			return c.rateHeader() && c.of("X-Ratelimit-Limit", "X-Ratelimit-Remaining") && plausible(c.Is)
		}},
	{"reset-tolerance", Lawful, "A Reset may lie five seconds back and two days ahead: clocks are cached, and the longest window is a day.",
		func(c Case) bool {
			return c.at(Header) && c.of("X-Ratelimit-Reset", "Date") && c.is(Shift, Truncate) && near(c.Is)
		}},
	{"unnamed-headers", Lawful, "What Link and Allow say is not part of the interface.",
		func(c Case) bool { return c.at(Header) && c.of("Link", "Allow", "Location") }},
}

// answersLawful are about the answer as a whole.
var answersLawful = []Rule{
	{"limited", Lawful, "A 429 with Retry-After may meet any request; it is a matter of the allowance, never of the check.",
		func(c Case) bool { return c.at(Answer) && c.how("by an Error of 429") && c.Was.Status() != 201 }},
	{"orders-answer", Lawful, "What GET /store/orders answers to a valid key is not shown (ORDERS-1).",
		func(c Case) bool {
			return c.on(spec.StoreOrders) && c.Was.Auth.Valid() && coherent(c) && c.at(Status, Answer)
		}},
	{"elsewhere-answer", Lawful, "How a path that the interface does not name is refused, or not, is not shown.",
		func(c Case) bool { return c.on(spec.Elsewhere) && c.at(Status, Answer, Body) && c.Is.Answered() }},
	{"elsewhere-words", Lawful, "On a path that the interface does not name the Error body is a should; words in it are more than that.",
		func(c Case) bool {
			return c.on(spec.Elsewhere) && c.at(Member) && c.of("code", "message") && c.how("by nothing")
		}},
	{"open-question", Lawful, "The request asks what the interface leaves open, so any status answers it (" + openList + ").",
		func(c Case) bool {
			return open(c) && c.at(Status, Answer) && c.Was.Status() != 201 && coherent(c) && c.Is.Status() != 401
		}},
	{"open-list", Lawful, "A listing with a limit or status that the interface leaves open may hold what it likes, empty or full.",
		func(c Case) bool {
			return open(c) && c.on(spec.ListPets) && c.at(Body, Element) && c.Is.Len() >= 0 && c.Is.Len() < c.Was.Len()
		}},
	{"no-int64", Lawful, "A petId that is no int64 is answered 400 or 404 (GET-8), and so may a negative one be.",
		func(c Case) bool {
			none := c.Was.Check == "get-malformed" || c.Was.Check == "get-unknown" && strings.HasPrefix(c.Was.PetID(), "-")
			return c.on(spec.GetPet) && none && (c.Is.Status() == 400 || c.Is.Status() == 404) && c.at(Answer)
		}},
	{"an-error-of-the-kind", Lawful, "Two error responses of one status differ in words and figures only.",
		func(c Case) bool {
			return c.is(Swap) && c.Was.Status() >= 400 && c.Is.Status() == c.Was.Status() && sameError(c)
		}},
}

const openList = "PET-5, LIST-13, LIST-14, CREATE-4, CREATE-16 to CREATE-20, AUTH-8"

// openSteps are requests of checks that also ask what is firm.
var openSteps = map[string][]string{"create-names": {"spaces", "long"}}

func open(c Case) bool {
	switch c.Was.Check {
	case "create-open", "list-open-limit", "list-open-status", "auth-lower-case-scheme", "create-category", "create-id":
		return true
	}
	return slices.Contains(openSteps[c.Was.Check], c.Was.Step)
}

// coherent reports whether the altered answer is one that a service could mean: an error with its Error, or something that is
// neither an error nor a success, in whose place the interface shows nothing. Whether a category exists leaves two answers open.
func coherent(c Case) bool {
	switch s := c.Is.Status(); {
	case s < 400 && c.Was.Check == "create-category":
		return false
	case s >= 400:
		return sameError(c) && (s < 500 || c.on(spec.StoreOrders))
	case c.on(spec.StoreOrders):
		return s > 0
	default:
		return s > 201
	}
}

// sameError reports whether the body is an Error that tells the response's status.
func sameError(c Case) bool {
	e, _ := c.Is.Value.(map[string]any)
	n, ok := history.Int64(e["status"])
	return ok && c.Is.IsJSON() && n == int64(c.Is.Status())
}

// plausible reports whether Limit and Remaining are whole numbers that agree.
func plausible(x history.Exchange) bool {
	a, ok := exchange.AllowanceOf(x.Response.Header)
	return ok && 0 <= a.Remaining && a.Remaining <= a.Limit && oneValued(x, spec.HeaderLimit) && oneValued(x, spec.HeaderRemaining)
}

func oneValued(x history.Exchange, name string) bool { return len(x.Response.Header.Values(name)) == 1 }

// near reports whether Reset is a time that a window can end at.
func near(x history.Exchange) bool {
	a, ok := exchange.AllowanceOf(x.Response.Header)
	ahead := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	return ok && -5*time.Second <= ahead && ahead <= 48*time.Hour
}
