package reference

import (
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
)

// limitAsRead changes a valid limit after it was read.
func limitAsRead(change func(n int, given bool) (int, *refusal)) func(*behaviour) {
	return func(b *behaviour) {
		read := b.limit
		b.limit = func(value string, given bool) (int, *refusal) {
			n, refused := read(value, given)
			if refused != nil {
				return n, refused
			}
			return change(n, given)
		}
	}
}

// refuseLimit refuses limits that are within the range.
func refuseLimit(is func(n int) bool) func(*behaviour) {
	return limitAsRead(func(n int, given bool) (int, *refusal) {
		if given && is(n) {
			return 0, invalid("limit_invalid", "The limit %d is out of range.", n)
		}
		return n, nil
	})
}

// takeLimit lists another number than the limit; 0 lists every animal.
func takeLimit(change func(n int) int) func(*behaviour) {
	return limitAsRead(func(n int, given bool) (int, *refusal) {
		if given {
			n = change(n)
		}
		return n, nil
	})
}

// defaultTo lists another number than 20 when no limit is given; 0 lists every animal.
func defaultTo(other int) func(*behaviour) {
	return limitAsRead(func(n int, given bool) (int, *refusal) {
		if !given {
			n = other
		}
		return n, nil
	})
}

// seeded puts at least that many animals into an empty store.
func seeded(animals int, apply func(*behaviour)) func(*behaviour) {
	return func(b *behaviour) {
		b.seed = max(b.seed, animals)
		apply(b)
	}
}

// unlimited ignores the limit of the selected listings.
func unlimited(is func(c *call, f filter) bool) func(*behaviour) {
	return func(b *behaviour) {
		find := b.find
		b.find = func(c *call, f filter) ([]spec.Pet, error) {
			if is(c, f) {
				f.limit = 0
			}
			return find(c, f)
		}
	}
}

func firstPets(pets []spec.Pet, n int) []spec.Pet { return pets[:min(max(n, 0), len(pets))] }

var listLimitDeviations = slices.Concat(
	table(Deviation{Breaks: ids("LIST-3")}, []Deviation{
		{Name: "limit-100-refused", Suffers: "The largest limit is refused.", apply: refuseLimit(func(n int) bool { return n == spec.MaxLimit })},
		{Name: "limit-1-refused", Suffers: "The smallest limit is refused.", apply: refuseLimit(func(n int) bool { return n == spec.MinLimit })},
		{Name: "limit-compared-as-text", May: ids("LIST-5", "LIST-6", "LIST-8"), Suffers: "A limit of 20 is refused, because as text it is more than 100.",
			apply: refuseLimit(func(n int) bool { return strconv.Itoa(n) > "100" })},
		{Name: "limit-100-fails", May: ids("ERROR-7"), Suffers: "The largest listing ends in a server error.",
			apply: on(spec.ListPets).and(succeeded).and(calls(func(c *call) bool { return c.filter.limit == spec.MaxLimit })).then(withStatus(http.StatusInternalServerError))},
	}),
	table(Deviation{Breaks: ids("LIST-4")}, limitExceededRows),
	[]Deviation{
		{Name: "limit-one-less", Breaks: ids("LIST-11"), May: ids("LIST-3", "LIST-8"), Suffers: "A listing has one animal fewer than its limit allows; a limit of 1 lists none.",
			apply: relist(func(_ *call, f filter, pets []spec.Pet) []spec.Pet { return firstPets(pets, f.limit-1) })},
		{Name: "limit-1-empty", Breaks: ids("LIST-11"), May: ids("LIST-8"), Suffers: "A limit of 1 lists no animal.",
			apply: relist(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.limit == spec.MinLimit {
					return nil
				}
				return firstPets(pets, f.limit)
			})},
		{Name: "limit-beyond-50-cut", Breaks: ids("LIST-11"), Needs: Animals, Suffers: "A limit beyond 50 lists 50 animals.",
			apply: seeded(60, takeLimit(func(n int) int { return min(n, 50) }))},
		{Name: "limit-one-less-of-all", Breaks: ids("LIST-11"), Needs: Explore, Suffers: "An unfiltered listing lacks the last animal when the animals exactly fill the limit.",
			apply: relist(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status == "" && len(pets) == f.limit {
					return firstPets(pets, f.limit-1)
				}
				return firstPets(pets, f.limit)
			})},
	},
	table(Deviation{Breaks: ids("LIST-5")}, limitDefaultRows),
)

var limitExceededRows = []Deviation{
	{Name: "limit-one-more", Suffers: "A listing has one animal more than its limit.", apply: takeLimit(func(n int) int { return n + 1 })},
	{Name: "limit-one-more-than-1", Suffers: "A limit of 1 lists two animals.", apply: takeLimit(instead(1, 2))},
	{Name: "limit-ignored", Suffers: "A limit below 20 lists 20 animals.", apply: takeLimit(func(n int) int { return max(n, spec.DefaultLimit) })},
	{Name: "limit-at-least-10", Suffers: "A limit below 10 lists 10 animals.", apply: takeLimit(func(n int) int { return max(n, 10) })},
	{Name: "limit-ignored-when-filtered", May: ids("LIST-5"), Suffers: "A filtered listing ignores its limit.", apply: unlimited(func(_ *call, f filter) bool { return f.status != "" })},
	{Name: "limit-per-status", May: ids("LIST-5"), Suffers: "A listing has several times its limit, because each status is counted separately.",
		apply: relist(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
			count := map[spec.PetStatus]int{}
			return slices.DeleteFunc(pets, func(p spec.Pet) bool {
				count[p.Status]++
				return count[p.Status] > f.limit
			})
		})},
	{Name: "limit-100-of-101", May: ids("LIST-12"), Needs: Animals, Suffers: "The largest listing has 101 animals.",
		apply: seeded(130, relist(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
			return firstPets(pets, instead(spec.MaxLimit, spec.MaxLimit+1)(f.limit))
		}))},
}

var limitDefaultRows = []Deviation{
	{Name: "limit-defaults-to-1", May: ids("LIST-11"), Suffers: "Without a limit a client sees one animal.", apply: defaultTo(1)},
	{Name: "limit-defaults-to-10", Suffers: "Without a limit a client sees 10 animals in place of 20.", apply: defaultTo(10)},
	{Name: "limit-defaults-to-10-of-many", Needs: Animals, Suffers: "Without a limit a client sees 10 animals of a store that has many.", apply: seeded(30, defaultTo(10))},
	{Name: "limit-defaults-to-10-when-filtered", Breaks: ids("LIST-8"), May: ids("LIST-5"), Needs: Animals, Suffers: "A filtered listing without a limit has 10 animals in place of 20.",
		apply: seeded(60, relist(func(c *call, f filter, pets []spec.Pet) []spec.Pet {
			if f.status != "" && !withLimit(c) {
				return firstPets(pets, 10)
			}
			return firstPets(pets, f.limit)
		}))},
	{Name: "limit-defaults-to-19", Suffers: "Without a limit a client sees 19 animals in place of 20.", apply: defaultTo(19)},
	{Name: "limit-defaults-to-21", Suffers: "Without a limit a client sees 21 animals in place of 20.", apply: defaultTo(21)},
	{Name: "limit-defaults-to-100", Suffers: "Without a limit a client sees 100 animals in place of 20.", apply: defaultTo(spec.MaxLimit)},
	{Name: "limit-defaults-to-none", May: ids("LIST-12"), Suffers: "Without a limit a client gets every animal of the store.", apply: defaultTo(0)},
	{Name: "limit-defaults-to-none-when-filtered", May: ids("LIST-12"), Needs: Animals, Suffers: "A filtered listing without a limit has every animal with the status.",
		apply: seeded(120, unlimited(func(c *call, f filter) bool { return f.status != "" && c.request.URL.Query().Get("limit") == "" }))},
}
