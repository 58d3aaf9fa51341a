package deviations

import (
	"slices"
	"strconv"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// limitAsRead changes a valid limit after it was read.
func limitAsRead(change func(n int, given bool) (int, *Refusal)) Change {
	return func(b *Behaviour) {
		read := b.Limit
		b.Limit = func(value string, given bool) (int, *Refusal) {
			n, refused := read(value, given)
			if refused != nil {
				return n, refused
			}
			return change(n, given)
		}
	}
}

// refuseLimit refuses limits that are within the range.
func refuseLimit(is func(n int) bool) Change {
	return limitAsRead(func(n int, given bool) (int, *Refusal) {
		if given && is(n) {
			return 0, Invalid("limit_invalid", "The limit %d is out of range.", n)
		}
		return n, nil
	})
}

// takeLimit lists another number than the limit; 0 lists every animal.
func takeLimit(change func(n int) int) Change {
	return limitAsRead(func(n int, given bool) (int, *Refusal) {
		if given {
			n = change(n)
		}
		return n, nil
	})
}

// defaultTo lists another number than 20 when no limit is given; 0 lists every animal.
func defaultTo(other int) Change {
	return limitAsRead(func(n int, given bool) (int, *Refusal) {
		if !given {
			n = other
		}
		return n, nil
	})
}

// seeded puts at least that many animals into an empty store.
func seeded(animals int, apply Change) Change {
	return func(b *Behaviour) {
		b.Seed = max(b.Seed, animals)
		apply(b)
	}
}

// unlimited ignores the limit of the selected listings.
func unlimited(is func(c *Call) bool) Change {
	return func(b *Behaviour) {
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			if is(c) {
				f.Limit = 0
			}
			return find(c, f)
		}
	}
}

func firstPets(pets []spec.Pet, n int) []spec.Pet { return pets[:min(max(n, 0), len(pets))] }

var listLimitRows = slices.Concat(
	faults(breaks("LIST-3"))(
		fault("limit-100-refused", refuseLimit(func(n int) bool { return n == spec.MaxLimit })),
		fault("limit-1-refused", refuseLimit(func(n int) bool { return n == spec.MinLimit })),
		fault("limit-compared-as-text",
			refuseLimit(func(n int) bool { return strconv.Itoa(n) > "100" }), may("LIST-5", "LIST-6", "LIST-8")),
		fault("limit-100-fails",
			Lists.And(Calls(func(c *Call) bool { return c.Filter.Limit == spec.MaxLimit })).Then(WithStatus(500)),
			may("ERROR-7")),
	),
	faults(breaks("LIST-4"))(
		fault("limit-one-more", takeLimit(func(n int) int { return n + 1 })),
		fault("limit-ignored", takeLimit(func(n int) int { return max(n, spec.DefaultLimit) })),
		fault("limit-ignored-when-filtered",
			unlimited(func(c *Call) bool { return c.Filter.Status != "" }), may("LIST-5")),
		fault("limit-per-status", Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
			count := map[spec.PetStatus]int{}
			return slices.DeleteFunc(pets, func(p spec.Pet) bool {
				count[p.Status]++
				return count[p.Status] > c.Filter.Limit
			})
		}), may("LIST-5")),
		fault("limit-100-of-101", seeded(130, Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
			return firstPets(pets, Instead(spec.MaxLimit, spec.MaxLimit+1)(c.Filter.Limit))
		})), may("LIST-12"), needs(Animals)),
	),
	faults()(
		fault("limit-one-less",
			Relist(func(c *Call, pets []spec.Pet) []spec.Pet { return firstPets(pets, c.Filter.Limit-1) }),
			breaks("LIST-11"), may("LIST-3", "LIST-8")),
		fault("limit-beyond-50-cut",
			seeded(60, takeLimit(func(n int) int { return min(n, 50) })), breaks("LIST-11"), needs(Animals)),
		fault("limit-one-less-of-all",
			Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
				if c.Filter.Status == "" && len(pets) == c.Filter.Limit {
					return firstPets(pets, c.Filter.Limit-1)
				}
				return firstPets(pets, c.Filter.Limit)
			}), breaks("LIST-11"), needs(Explore)),
	),
	faults(breaks("LIST-5"))(
		fault("limit-defaults-to-10", defaultTo(10)),
		fault("limit-defaults-to-10-of-many", seeded(30, defaultTo(10)), needs(Animals)),
		fault("limit-defaults-to-19", defaultTo(19)),
		fault("limit-defaults-to-none", defaultTo(0), may("LIST-12")),
		fault("limit-defaults-to-none-when-filtered",
			seeded(120, unlimited(func(c *Call) bool {
				return c.Filter.Status != "" && c.Request.URL.Query().Get("limit") == ""
			})), may("LIST-12"), needs(Animals)),
	),
)

// refuseFilter refuses listings with a valid status filter.
func refuseFilter(status int, is func(c *Call) bool) Change {
	return Filtered.And(Succeeded).And(Calls(is)).Then(WithStatus(status))
}

// match filters by another rule than the status.
func match(matches func(c *Call, p spec.Pet) bool) Change {
	return func(b *Behaviour) {
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			pets := slices.DeleteFunc(find(c, Filter{}), func(p spec.Pet) bool { return f.Status != "" && !matches(c, p) })
			return firstPets(pets, f.Limit)
		}
	}
}

// filterAfterLimit filters the first animals, as many as the limit, in the selected listings.
func filterAfterLimit(when When) Change {
	return func(b *Behaviour) {
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			if !when(c, nil) {
				return find(c, f)
			}
			pets := find(c, Filter{Limit: f.Limit})
			return slices.DeleteFunc(pets, func(p spec.Pet) bool { return f.Status != "" && p.Status != f.Status })
		}
	}
}

// includeToo lists animals that the filter excludes, beside those that it selects.
func includeToo(too func(c *Call, p spec.Pet) bool) Change {
	return match(func(c *Call, p spec.Pet) bool { return p.Status == c.Filter.Status || too(c, p) })
}

// miss leaves animals out of filtered listings.
func miss(missed func(c *Call, p spec.Pet) bool) Change {
	return Hide(func(c *Call, p spec.Pet) bool { return c.Filter.Status != "" && missed(c, p) })
}

// trim changes the animals of filtered listings, or of the unfiltered ones.
func trim(filtered bool, change func(pets []spec.Pet) []spec.Pet) Change {
	return Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		if filtered != (c.Filter.Status != "") {
			return pets
		}
		return change(pets)
	})
}

func withoutLast(pets []spec.Pet) []spec.Pet { return firstPets(pets, len(pets)-1) }

func atMost10(pets []spec.Pet) []spec.Pet { return firstPets(pets, 10) }

func filtersBy(s spec.PetStatus) func(c *Call) bool {
	return func(c *Call) bool { return c.Filter.Status == s }
}

func anyCall(*Call) bool { return true }

var listFilterRows = slices.Concat(
	faults(breaks("LIST-6"), may("LIST-8"))(
		fault("filter-pending-refused", refuseFilter(400, filtersBy(spec.Pending))),
		fault("filter-sold-refused", refuseFilter(400, filtersBy(spec.Sold))),
		fault("filter-with-limit-refused", refuseFilter(400, withLimit)),
		fault("filter-not-implemented", refuseFilter(501, anyCall), may("LIST-8", "ERROR-7")),
		fault("filter-moved", refuseFilter(308, anyCall)),
	),
	faults(breaks("LIST-7"), may("LIST-8"))(
		fault("filter-ignored", match(func(*Call, spec.Pet) bool { return true })),
		fault("filter-ignored-with-limit", includeToo(func(c *Call, _ spec.Pet) bool { return withLimit(c) })),
		fault("filter-sold-includes-pending", includeToo(func(c *Call, p spec.Pet) bool {
			return c.Filter.Status == spec.Sold && p.Status == spec.Pending
		})),
		fault("filter-pending-finds-others", includeToo(func(c *Call, p spec.Pet) bool {
			return c.Filter.Status == spec.Pending && p.Status == spec.Available
		})),
		fault("filter-is-not", match(func(c *Call, p spec.Pet) bool { return p.Status != c.Filter.Status })),
	),
	faults(breaks("LIST-8"))(
		fault("filter-finds-no-pending",
			miss(func(c *Call, _ spec.Pet) bool { return c.Filter.Status == spec.Pending })),
		fault("filter-finds-nothing", miss(func(*Call, spec.Pet) bool { return true })),
		fault("filter-finds-ascii-names", miss(func(_ *Call, p spec.Pet) bool { return beyond(p.Name, 0x7f) })),
		fault("filter-after-limit", filterAfterLimit(func(*Call, *Answer) bool { return true })),
		fault("filter-after-limit-by-one-replica",
			seeded(40, filterAfterLimit(byThird)), needs(Full)), // a quick run may miss it
		fault("filter-finds-10-at-most", seeded(60, trim(true, atMost10)), needs(Animals)),
	),
)
