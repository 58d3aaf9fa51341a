package reference

import (
	"net/http"
	"slices"

	"petconform/spec"
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
