package altered

import (
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

// unseen are alterations that would be deviations if they were known to be what they are, and that no judge can tell
// from something lawful. Each says what a judge would have to know.
var unseen = []Rule{
	{"another-client's", Unseen, "An id that no creation of the run was given may be another client's animal; that the run's own are listed is judged where the run looks for them.",
		func(c Case) bool {
			return c.on(spec.ListPets) && c.at(Member) && c.of("id") && c.is(Shift) && !lastLook(c)
		}},
	{"not-of-this-run", Unseen, "What an animal was created with is known only of the run's own; others may be changed or taken away by who keeps the shop.",
		func(c Case) bool { return c.at(Member, Element) && foreign(c) }},
	{"lagging-replica", Unseen, "A listing that lacks an animal may come from a replica that lags; only the last look, after the run's patience, is held to it.",
		func(c Case) bool {
			return c.on(spec.ListPets) && !lastLook(c) && (c.at(Element) && c.is(Drop) || c.is(Retype, Swap) && 0 <= c.Is.Len() && c.Is.Len() < c.Was.Len())
		}},
	{"another-look", Unseen, "Animals that another listing showed may be shown by this one too, as far as its limit and filter allow.",
		func(c Case) bool {
			return c.on(spec.ListPets) && c.is(Swap) && c.Is.Len() >= c.Was.Len() && c.Was.Len() >= 0
		}},
	{"nothing-promised", Unseen, "To what is open a service may answer anything. That it kept an animal all the same shows only where its name turns up.",
		func(c Case) bool { return open(c) && c.at(Status, Answer) && !succeeded(c) && c.Is.Answered() }},
	{"not-needed", Unseen, "A time-out may be the network's. No requirement rests on this answer alone, so the run goes without it.",
		func(c Case) bool { return c.at(Answer) && c.how("(timeout)") }},
}

// foreign reports whether the altered animal is one that the run did not create.
func foreign(c Case) bool {
	pets, ok := c.Was.Pets()
	if !ok || c.Element < 1 || c.Element > len(pets) {
		return false
	}
	id := pets[c.Element-1].ID
	return !slices.ContainsFunc(c.base.Created(), func(made history.Creation) bool { return made.Answered.ID == id })
}

// lastLook reports whether the listing is one by which a check finds that an animal is missing, and has room left: a full page
// may hold others.
func lastLook(c Case) bool {
	limit := spec.DefaultLimit
	if asked, ok := c.Was.Asked("limit"); ok {
		limit, _ = strconv.Atoi(asked)
	}
	if c.Was.Len() >= limit {
		return false
	}
	return c.Was.Check == "list-created" || strings.HasPrefix(c.Was.Check, "list-status-")
}

// succeeded reports whether the altered answer says that an animal was created: then it is bound like any other.
func succeeded(c Case) bool {
	p, ok := c.Is.Pet()
	return ok && p.Known()
}
