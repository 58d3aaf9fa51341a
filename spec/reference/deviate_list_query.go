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
	table(Deviation{Breaks: ids("LIST-4")}, []Deviation{
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
	}),
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
	table(Deviation{Breaks: ids("LIST-5")}, []Deviation{
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
	}),
)

// refuseFilter refuses listings with a valid status filter.
func refuseFilter(status int, is func(c *call) bool) func(*behaviour) {
	return filtered.and(succeeded).and(calls(is)).then(withStatus(status))
}

// match filters by another rule than the status.
func match(matches func(c *call, f filter, p spec.Pet) bool) func(*behaviour) {
	return func(b *behaviour) {
		find := b.find
		b.find = func(c *call, f filter) ([]spec.Pet, error) {
			pets, err := find(c, filter{})
			pets = slices.DeleteFunc(pets, func(p spec.Pet) bool { return f.status != "" && !matches(c, f, p) })
			return firstPets(pets, f.limit), err
		}
	}
}

// includeToo lists animals that the filter excludes, beside those that it selects.
func includeToo(too func(c *call, f filter, p spec.Pet) bool) func(*behaviour) {
	return match(func(c *call, f filter, p spec.Pet) bool { return p.Status == f.status || too(c, f, p) })
}

// miss leaves animals out of filtered listings.
func miss(missed func(f filter, p spec.Pet) bool) func(*behaviour) {
	return hide(func(f filter, p spec.Pet) bool { return f.status != "" && missed(f, p) })
}

// trim changes the animals of filtered listings, or of the unfiltered ones.
func trim(filtered bool, change func(pets []spec.Pet) []spec.Pet) func(*behaviour) {
	return refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
		if filtered != (f.status != "") {
			return pets
		}
		return change(pets)
	})
}

func withoutLast(pets []spec.Pet) []spec.Pet { return firstPets(pets, len(pets)-1) }

func atMost10(pets []spec.Pet) []spec.Pet { return firstPets(pets, 10) }

func filtersBy(s spec.PetStatus) func(c *call) bool {
	return func(c *call) bool { return c.filter.status == s }
}

func anyCall(*call) bool { return true }

var listFilterDeviations = slices.Concat(
	table(Deviation{Breaks: ids("LIST-6"), May: ids("LIST-8")}, []Deviation{
		{Name: "filter-pending-refused", Suffers: "The filter pending is refused.", apply: refuseFilter(400, filtersBy(spec.Pending))},
		{Name: "filter-sold-refused", Suffers: "The filter sold is refused.", apply: refuseFilter(400, filtersBy(spec.Sold))},
		{Name: "filter-with-limit-refused", Suffers: "A filter together with a limit is refused.", apply: refuseFilter(400, withLimit)},
		{Name: "filter-not-implemented", May: ids("LIST-8", "ERROR-7"), Suffers: "The filter, which replaces getPet, is not implemented.", apply: refuseFilter(http.StatusNotImplemented, anyCall)},
		{Name: "filter-moved", Suffers: "Filtered listings have another address.", apply: refuseFilter(http.StatusPermanentRedirect, anyCall)},
	}),
	table(Deviation{Breaks: ids("LIST-7"), May: ids("LIST-8")}, []Deviation{
		{Name: "filter-ignored", Suffers: "A client offers sold animals for adoption.", apply: match(func(*call, filter, spec.Pet) bool { return true })},
		{Name: "filter-ignored-with-limit", Suffers: "The filter is ignored when there is a limit too.", apply: includeToo(func(c *call, _ filter, _ spec.Pet) bool { return withLimit(c) })},
		{Name: "filter-available-ignored", Suffers: "The filter available is ignored.", apply: includeToo(func(_ *call, f filter, _ spec.Pet) bool { return f.status == spec.Available })},
		{Name: "filter-sold-includes-pending", Suffers: "The filter sold lists pending animals too.",
			apply: includeToo(func(_ *call, f filter, p spec.Pet) bool { return f.status == spec.Sold && p.Status == spec.Pending })},
		{Name: "filter-available-includes-unknown", Suffers: "The filter available lists animals without a status too.",
			apply: includeToo(func(_ *call, f filter, p spec.Pet) bool { return f.status == spec.Available && p.Status == "" })},
		{Name: "filter-pending-finds-others", Suffers: "The filter pending lists available animals too.", apply: includeToo(func(_ *call, f filter, p spec.Pet) bool {
			return f.status == spec.Pending && p.Status == spec.Available
		})},
		{Name: "filter-is-not", Suffers: "The filter lists the animals that do not have the status.", apply: match(func(_ *call, f filter, p spec.Pet) bool { return p.Status != f.status })},
	}),
	table(Deviation{Breaks: ids("LIST-8")}, []Deviation{
		{Name: "filter-finds-no-pending", Suffers: "The filter pending lists no animals.", apply: miss(func(f filter, _ spec.Pet) bool { return f.status == spec.Pending })},
		{Name: "filter-finds-no-sold", Suffers: "The filter sold lists no animals.", apply: miss(func(f filter, _ spec.Pet) bool { return f.status == spec.Sold })},
		{Name: "filter-finds-nothing", Suffers: "A filter lists no animals.", apply: miss(func(filter, spec.Pet) bool { return true })},
		{Name: "filter-finds-ascii-names", Suffers: "A filter lists only animals with names in ASCII.", apply: miss(func(_ filter, p spec.Pet) bool { return beyond(p.Name, 0x7f) })},
		{Name: "filter-finds-small-categories", Suffers: "A filter lists only animals whose category fits 32 bits.", apply: miss(func(_ filter, p spec.Pet) bool { return beyond32Bits(p.CategoryID) })},
		{Name: "filter-after-limit", Suffers: "A filter looks only at the first animals, as many as the limit.", apply: func(b *behaviour) {
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				pets, err := find(c, filter{limit: f.limit})
				return slices.DeleteFunc(pets, func(p spec.Pet) bool { return f.status != "" && p.Status != f.status }), err
			}
		}},
		{Name: "filter-with-limit-finds-nothing", Suffers: "A filter together with a limit lists no animals.", apply: refind(func(c *call, f filter, pets []spec.Pet) []spec.Pet {
			if f.status != "" && withLimit(c) {
				return nil
			}
			return pets
		})},
		{Name: "filter-finds-10-at-most", Needs: Animals, Suffers: "A filtered listing has at most 10 animals, whatever the limit.", apply: seeded(60, trim(true, atMost10))},
		{Name: "filter-misses-the-newest", Suffers: "A filtered listing lacks the newest animal until another one is created.", apply: trim(true, withoutLast)},
		{Name: "filter-cached-for-ever", Suffers: "A filtered listing never changes after its first answer.", apply: cacheLists(func(f filter) bool { return f.status != "" })},
	}),
)
