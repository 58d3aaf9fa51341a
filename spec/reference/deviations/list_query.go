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
		fault("limit-100-refused", "The largest limit is refused.",
			refuseLimit(func(n int) bool { return n == spec.MaxLimit })),
		fault("limit-1-refused", "The smallest limit is refused.",
			refuseLimit(func(n int) bool { return n == spec.MinLimit })),
		fault("limit-compared-as-text", "A limit of 20 is refused, because as text it is more than 100.",
			refuseLimit(func(n int) bool { return strconv.Itoa(n) > "100" }), may("LIST-5", "LIST-6", "LIST-8")),
		fault("limit-100-fails", "The largest listing ends in a server error.",
			Lists.And(Calls(func(c *Call) bool { return c.Filter.Limit == spec.MaxLimit })).Then(WithStatus(500)),
			may("ERROR-7")),
	),
	faults(breaks("LIST-4"))(
		fault("limit-one-more", "A listing has one animal more than its limit.",
			takeLimit(func(n int) int { return n + 1 })),
		fault("limit-one-more-than-1", "A limit of 1 lists two animals.", takeLimit(Instead(1, 2))),
		fault("limit-ignored", "A limit below 20 lists 20 animals.",
			takeLimit(func(n int) int { return max(n, spec.DefaultLimit) })),
		fault("limit-at-least-10", "A limit below 10 lists 10 animals.",
			takeLimit(func(n int) int { return max(n, 10) })),
		fault("limit-ignored-when-filtered", "A filtered listing ignores its limit.",
			unlimited(func(c *Call) bool { return c.Filter.Status != "" }), may("LIST-5")),
		fault("limit-per-status", "A listing has several times its limit, because each status is counted separately.",
			Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
				count := map[spec.PetStatus]int{}
				return slices.DeleteFunc(pets, func(p spec.Pet) bool {
					count[p.Status]++
					return count[p.Status] > c.Filter.Limit
				})
			}), may("LIST-5")),
		fault("limit-100-of-101", "The largest listing has 101 animals.",
			seeded(130, Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
				return firstPets(pets, Instead(spec.MaxLimit, spec.MaxLimit+1)(c.Filter.Limit))
			})), may("LIST-12"), needs(Animals)),
	),
	faults()(
		fault("limit-one-less", "A listing has one animal fewer than its limit allows; a limit of 1 lists none.",
			Relist(func(c *Call, pets []spec.Pet) []spec.Pet { return firstPets(pets, c.Filter.Limit-1) }),
			breaks("LIST-11"), may("LIST-3", "LIST-8")),
		fault("limit-1-empty", "A limit of 1 lists no animal.", Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
			if c.Filter.Limit == spec.MinLimit {
				return nil
			}
			return firstPets(pets, c.Filter.Limit)
		}), breaks("LIST-11"), may("LIST-8")),
		fault("limit-beyond-50-cut", "A limit beyond 50 lists 50 animals.",
			seeded(60, takeLimit(func(n int) int { return min(n, 50) })), breaks("LIST-11"), needs(Animals)),
		fault("limit-one-less-of-all",
			"An unfiltered listing lacks the last animal when the animals exactly fill the limit.",
			Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
				if c.Filter.Status == "" && len(pets) == c.Filter.Limit {
					return firstPets(pets, c.Filter.Limit-1)
				}
				return firstPets(pets, c.Filter.Limit)
			}), breaks("LIST-11"), needs(Explore)),
	),
	faults(breaks("LIST-5"))(
		fault("limit-defaults-to-1", "Without a limit a client sees one animal.", defaultTo(1), may("LIST-11")),
		fault("limit-defaults-to-10", "Without a limit a client sees 10 animals in place of 20.", defaultTo(10)),
		fault("limit-defaults-to-10-of-many", "Without a limit a client sees 10 animals of a store that has many.",
			seeded(30, defaultTo(10)), needs(Animals)),
		fault("limit-defaults-to-10-when-filtered", "A filtered listing without a limit has 10 animals in place of 20.",
			seeded(60, Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
				if c.Filter.Status != "" && !withLimit(c) {
					return firstPets(pets, 10)
				}
				return firstPets(pets, c.Filter.Limit)
			})), breaks("LIST-8"), may("LIST-5"), needs(Animals)),
		fault("limit-defaults-to-19", "Without a limit a client sees 19 animals in place of 20.", defaultTo(19)),
		fault("limit-defaults-to-21", "Without a limit a client sees 21 animals in place of 20.", defaultTo(21)),
		fault("limit-defaults-to-100", "Without a limit a client sees 100 animals in place of 20.",
			defaultTo(spec.MaxLimit)),
		fault("limit-defaults-to-none", "Without a limit a client gets every animal of the store.",
			defaultTo(0), may("LIST-12")),
		fault("limit-defaults-to-none-when-filtered",
			"A filtered listing without a limit has every animal with the status.",
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
		fault("filter-pending-refused", "The filter pending is refused.", refuseFilter(400, filtersBy(spec.Pending))),
		fault("filter-sold-refused", "The filter sold is refused.", refuseFilter(400, filtersBy(spec.Sold))),
		fault("filter-with-limit-refused", "A filter together with a limit is refused.", refuseFilter(400, withLimit)),
		fault("filter-not-implemented", "The filter, which replaces getPet, is not implemented.",
			refuseFilter(501, anyCall), may("LIST-8", "ERROR-7")),
		fault("filter-moved", "Filtered listings have another address.", refuseFilter(308, anyCall)),
	),
	faults(breaks("LIST-7"), may("LIST-8"))(
		fault("filter-ignored", "A client offers sold animals for adoption.",
			match(func(*Call, spec.Pet) bool { return true })),
		fault("filter-ignored-with-limit", "The filter is ignored when there is a limit too.",
			includeToo(func(c *Call, _ spec.Pet) bool { return withLimit(c) })),
		fault("filter-available-ignored", "The filter available is ignored.",
			includeToo(func(c *Call, _ spec.Pet) bool { return c.Filter.Status == spec.Available })),
		fault("filter-sold-includes-pending", "The filter sold lists pending animals too.",
			includeToo(func(c *Call, p spec.Pet) bool {
				return c.Filter.Status == spec.Sold && p.Status == spec.Pending
			})),
		fault("filter-available-includes-unknown", "The filter available lists animals without a status too.",
			includeToo(func(c *Call, p spec.Pet) bool { return c.Filter.Status == spec.Available && p.Status == "" })),
		fault("filter-pending-finds-others", "The filter pending lists available animals too.",
			includeToo(func(c *Call, p spec.Pet) bool {
				return c.Filter.Status == spec.Pending && p.Status == spec.Available
			})),
		fault("filter-is-not", "The filter lists the animals that do not have the status.",
			match(func(c *Call, p spec.Pet) bool { return p.Status != c.Filter.Status })),
	),
	faults(breaks("LIST-8"))(
		fault("filter-finds-no-pending", "The filter pending lists no animals.",
			miss(func(c *Call, _ spec.Pet) bool { return c.Filter.Status == spec.Pending })),
		fault("filter-finds-no-sold", "The filter sold lists no animals.",
			miss(func(c *Call, _ spec.Pet) bool { return c.Filter.Status == spec.Sold })),
		fault("filter-finds-nothing", "A filter lists no animals.", miss(func(*Call, spec.Pet) bool { return true })),
		fault("filter-finds-ascii-names", "A filter lists only animals with names in ASCII.",
			miss(func(_ *Call, p spec.Pet) bool { return beyond(p.Name, 0x7f) })),
		fault("filter-finds-small-categories", "A filter lists only animals whose category fits 32 bits.",
			miss(func(_ *Call, p spec.Pet) bool { return beyond32Bits(p.CategoryID) })),
		fault("filter-after-limit", "A filter looks only at the first animals, as many as the limit.",
			filterAfterLimit(func(*Call, *Answer) bool { return true })),
		fault("filter-after-limit-by-one-replica", "One replica of three filters only the first animals, as many as the limit.",
			seeded(40, filterAfterLimit(byThird))),
		fault("filter-with-limit-finds-nothing", "A filter together with a limit lists no animals.",
			Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
				if c.Filter.Status != "" && withLimit(c) {
					return nil
				}
				return pets
			})),
		fault("filter-finds-10-at-most", "A filtered listing has at most 10 animals, whatever the limit.",
			seeded(60, trim(true, atMost10)), needs(Animals)),
		fault("filter-misses-the-newest", "A filtered listing lacks the newest animal until another one is created.",
			trim(true, withoutLast)),
		fault("filter-cached-for-ever", "A filtered listing never changes after its first answer.",
			cacheLists(func(f Filter) bool { return f.Status != "" })),
	),
)
