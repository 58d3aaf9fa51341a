package altered

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// rule explains why alterations break nothing: those whose kind, part, name and way match, where a condition holds.
type rule struct {
	match *regexp.Regexp
	why   string
	where func(c Case) bool // nil is everywhere
}

func why(match, why string, where func(c Case) bool) rule {
	return rule{regexp.MustCompile(match), why, where}
}

func (r rule) explains(c Case) bool {
	return r.match.MatchString(c.What+"|"+c.Of+"|"+c.How) && (r.where == nil || r.where(c))
}

// lawful are alterations after which a service still keeps the interface.
var lawful = []rule{
	// How a response is written.
	why(`^add header`, "A response may carry headers that the interface does not name.", nil),
	why(` member`, "An object may carry members that the interface does not name.", unnamed),
	why(`white space around it$`, "JSON allows white space around a value (RFC 8259 section 2).", nil),
	why(`^reorder body`, "Members have no order, and the interface promises none for a listing (LIST-15).", nil),
	why(` (body|member|element|media type)\|`, "What GET /store/orders answers to a valid key is not shown (ORDERS-1).",
		func(c Case) bool { return c.on(spec.StoreOrders) && c.Was.Status() < 400 }),
	why(`^(add|replace|truncate|shift) member\|(code|message)\|`, "The values of code and message are not shown (ERROR-6).",
		func(c Case) bool { return c.Was.Status() >= 400 && c.How != "by nothing" }),
	why(` media type\|.*\|(by one with charset|by capitals|with the same value)$`,
		"A media type may carry a charset, be sent twice alike, and has no case (RFC 9110 section 8.3.1).", nil),
	why(` header\|(Content-Length|Content-Encoding|Connection|Server|Vary|Cache-Control)\||^(drop|rename|replace|duplicate|truncate) header\|Date\|`,
		"Content-Length, Content-Encoding, Date are HTTP's own; the client has taken the answer in by them already.", nil),
	why(`^(drop|rename) header\|(Deprecation|Sunset)\|| header\|(Deprecation|Sunset)\|(by nothing|with the same value)$`,
		"Whether headers announce the deprecation is not shown (GET-7).", nil),
	why(`^(truncate|shift|retype) header\|Deprecation\|(by |to its opposite|with a plus)`,
		"Since when getPet is deprecated is not shown; any day up to the removal agrees with it.", nil),
	why(`^shift header\|Sunset\|by (1s|24h0m0s)$`, "The removal is on a day of no time zone, so a Sunset may be hours off.", nil),
	why(`^(duplicate|truncate) header\|Www-Authenticate\|`,
		"A 401 may carry several challenges with any parameters; one of them is to name Bearer (RFC 9110 section 11.6.1).", nil),
	why(` header\|.*\|with the same value$`, "A header that is sent twice with one value says one thing.", nil),
	why(`^(replace|duplicate|truncate|retype|shift) header\|(X-Ratelimit-.*|Date)\|`,
		"On a path that the interface does not name the three headers are a should, and their values are nobody's promise.",
		func(c Case) bool { return c.on(spec.Elsewhere) && c.How != "by nothing" }),
	why(` header\|X-Ratelimit-(Limit|Remaining)\|`, "What a plan's figures are, a load run finds out (RATE-15); one response shows only that they agree.",
		func(c Case) bool { return plausible(c.Is) }),
	why(`^(shift|truncate) header\|(X-Ratelimit-Reset|Date)\|`,
		"A Reset may lie five seconds back and two days ahead: clocks are cached, and the longest window is a day.",
		func(c Case) bool { return near(c.Is) }),
	why(` header\|(Link|Allow|Location)\|`, "What Link and Allow say is not part of the interface.", nil),

	// The answer as a whole.
	why(`by an Error of 429$`, "A 429 with Retry-After may meet any request; it is a matter of the allowance, never of the check.",
		func(c Case) bool { return c.Was.Status() != 201 }),
	why(` (status|answer)\|`, "What GET /store/orders answers to a valid key is not shown (ORDERS-1).",
		func(c Case) bool { return c.on(spec.StoreOrders) && c.Was.Auth.Valid() && coherent(c) }),
	why(` (status|answer|body)\|`, "How a path that the interface does not name is refused, or not, is not shown.",
		func(c Case) bool { return c.on(spec.Elsewhere) && c.Is.Answered() }),
	why(` member\|(code|message)\|by nothing$`, "On a path that the interface does not name the Error body is a should; words in it are more than that.",
		func(c Case) bool { return c.on(spec.Elsewhere) }),
	why(` (status|answer)\|`, "The request asks what the interface leaves open, so any status answers it (PET-5, LIST-13, LIST-14, CREATE-4, CREATE-16 to CREATE-20, AUTH-8).",
		func(c Case) bool { return open(c) && c.Was.Status() != 201 && coherent(c) && c.Is.Status() != 401 }),
	why(` (body|element)\|`, "A listing with a limit or status that the interface leaves open may hold what it likes, empty or full.",
		func(c Case) bool { return open(c) && c.on(spec.ListPets) && shorter(c) }),
	why(` answer\|`, "A petId that is no int64 is answered 400 or 404 (GET-8), and so may a negative one be.", func(c Case) bool {
		none := c.Was.Check == "get-malformed" || c.Was.Check == "get-unknown" && strings.HasPrefix(c.Was.PetID(), "-")
		return c.on(spec.GetPet) && none && (c.Is.Status() == 400 || c.Is.Status() == 404)
	}),
	why(` (status|answer)\|`, "What stands in front of a service may refuse a header that is not ASCII, or long, before the key is looked at.",
		func(c Case) bool { return slices.Contains(c.Was.Auth.InFront(), c.Is.Status()) && coherent(c) }),
	why(`^swap`, "Two error responses of one status differ in words and figures only.",
		func(c Case) bool { return c.Was.Status() >= 400 && c.Is.Status() == c.Was.Status() && sameError(c) }),
}

// unseen are alterations that would be deviations if they were known to be what they are, and that no judge can tell
// from something lawful. Each says what a judge would have to know.
var unseen = []rule{
	why(`^shift member\|id\|`, "An id that no creation of the run was given may be another client's animal; that the run's own are listed is judged where the run looks for them.",
		func(c Case) bool { return c.on(spec.ListPets) && !lastLook(c) }),
	why(`^shift member\|id\|`, "What is open is sent after the last look, so that a quick run does not look for what it created.",
		func(c Case) bool { return c.Was.Check == "create-open" }),
	why(` (member|element)\|`, "What an animal was created with is known only of the run's own; others may be changed or taken away by who keeps the shop.", foreign),
	why(`^drop element|^(retype|swap)`, "A listing that lacks an animal may come from a replica that lags; only the last look, after the run's patience, is held to it.",
		func(c Case) bool {
			return c.on(spec.ListPets) && !lastLook(c) && (c.What == "drop element" || shorter(c))
		}),
	why(`^swap`, "Animals that another listing showed may be shown by this one too, as far as its limit and filter allow.",
		func(c Case) bool { return c.on(spec.ListPets) && c.Is.Len() >= c.Was.Len() && c.Was.Len() >= 0 }),
	why(` (status|answer)\|`, "To what is open a service may answer anything. That it kept an animal all the same shows only where its name turns up.", func(c Case) bool {
		p, created := c.Is.Pet() // then it is bound like any other
		return open(c) && c.Is.Answered() && !(created && p.Known())
	}),
	why(`\(timeout\)$`, "A time-out may be the network's. No requirement rests on this answer alone, so the run goes without it.", nil),
}

func (c Case) on(op spec.Operation) bool { return c.Was.Operation == op }

func unnamed(c Case) bool {
	if c.Was.IsError() {
		return !slices.Contains([]string{"code", "message", "status"}, c.Of)
	}
	return !slices.Contains([]string{"id", "name", "categoryId", "status"}, c.Of)
}

func shorter(c Case) bool { return 0 <= c.Is.Len() && c.Is.Len() < c.Was.Len() }

// open reports whether the interface leaves the answer open. Some rows are of checks that also ask what is firm.
func open(c Case) bool {
	switch c.Was.Check {
	case "create-open", "list-open-limit", "list-open-status", "auth-lower-case-scheme", "create-category", "create-id":
		return true
	}
	return c.Was.Check == "create-names" && (c.Was.Step == "spaces" || c.Was.Step == "long")
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
	once := func(name string) bool { return len(x.Response.Header.Values(name)) == 1 }
	return ok && 0 <= a.Remaining && a.Remaining <= a.Limit && once(spec.HeaderLimit) && once(spec.HeaderRemaining)
}

// near reports whether Reset is a time that a window can end at.
func near(x history.Exchange) bool {
	a, ok := exchange.AllowanceOf(x.Response.Header)
	ahead := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	return ok && -5*time.Second <= ahead && ahead <= 48*time.Hour
}

// foreign reports whether the altered animal is one that the run did not create.
func foreign(c Case) bool {
	pets, ok := c.Was.Pets()
	return ok && c.Element >= 1 && c.Element <= len(pets) && !slices.ContainsFunc(c.base.Created(), func(made history.Creation) bool {
		return made.Answered.ID == pets[c.Element-1].ID
	})
}

// lastLook reports whether the listing is one by which a check finds that an animal is missing, and has room left: a full page
// may hold others.
func lastLook(c Case) bool {
	return c.Was.HasRoom() && (c.Was.Check == "list-created" || strings.HasPrefix(c.Was.Check, "list-status-"))
}
