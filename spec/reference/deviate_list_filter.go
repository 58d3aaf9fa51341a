package reference

import (
	"net/http"
	"slices"

	"petconform/spec"
)

// filterRefused makes a deviation that refuses filters which the interface allows.
func filterRefused(name, suffers string, status int, is func(c *call) bool, may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids("LIST-6"), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			b.alter(on(spec.ListPets).and(succeeded).and(func(c *call, _ *answer) bool { return c.filter.status != "" && is(c) }), withStatus(status))
		},
	}
}

// looser makes a deviation that lists animals which the filter does not mean.
func looser(name, suffers string, keeps func(c *call, f filter, p spec.Pet) bool) Deviation {
	return Deviation{
		Name: name, Breaks: ids("LIST-7"), May: ids("LIST-8"), Suffers: suffers,
		apply: func(b *behaviour) {
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				pets, err := find(c, filter{})
				if err != nil {
					return nil, err
				}
				pets = slices.DeleteFunc(pets, func(p spec.Pet) bool {
					return f.status != "" && p.Status != f.status && !keeps(c, f, p)
				})
				return pets[:min(f.limit, len(pets))], nil
			}
		},
	}
}

// lacking makes a deviation whose filtered listings lack animals that they should have.
func lacking(name, suffers string, hidden func(f filter, p spec.Pet) bool) Deviation {
	return Deviation{
		Name: name, Breaks: ids("LIST-8"), Suffers: suffers,
		apply: func(b *behaviour) {
			b.hide(func(f filter, p spec.Pet) bool { return f.status != "" && hidden(f, p) })
		},
	}
}

func withLimit(c *call) bool { return c.request.URL.Query().Has("limit") }

var listFilterDeviations = []Deviation{
	filterRefused("filter-pending-refused", "One of the three values is unknown to the validator.", 400, func(c *call) bool { return c.filter.status == spec.Pending }, "LIST-8"),
	filterRefused("filter-sold-refused", "Sold animals cannot be asked for.", 400, func(c *call) bool { return c.filter.status == spec.Sold }, "LIST-8"),
	filterRefused("filter-with-limit-refused", "The two parameters exclude each other.", 400, withLimit, "LIST-8"),
	filterRefused("filter-not-implemented", "The filter that replaces getPet is not there yet.", http.StatusNotImplemented, func(*call) bool { return true }, "LIST-8", "ERROR-7"),
	filterRefused("filter-sold-forbidden", "Sold animals are for the staff.", http.StatusForbidden, func(c *call) bool { return c.filter.status == spec.Sold }, "LIST-8"),
	filterRefused("filter-moved", "Filtered listings have a new address.", http.StatusPermanentRedirect, func(*call) bool { return true }, "LIST-8"),
	looser("filter-ignored", "A client offers animals for adoption that are sold.", func(*call, filter, spec.Pet) bool { return true }),
	looser("filter-ignored-with-limit", "With both parameters one of them is forgotten.", func(c *call, _ filter, _ spec.Pet) bool { return withLimit(c) }),
	looser("filter-available-ignored", "The first value of the enumeration counts as no filter.", func(_ *call, f filter, _ spec.Pet) bool { return f.status == spec.Available }),
	looser("filter-sold-includes-pending", "A reservation counts as a sale.", func(_ *call, f filter, p spec.Pet) bool { return f.status == spec.Sold && p.Status == spec.Pending }),
	looser("filter-available-includes-unknown", "Animals without a status are listed as available.", func(_ *call, f filter, p spec.Pet) bool { return f.status == spec.Available && p.Status == "" }),
	looser("filter-pending-finds-others", "Each filter but one is right.", func(_ *call, f filter, p spec.Pet) bool {
		return f.status == spec.Pending && p.Status == spec.Available
	}),
	{
		Name: "filter-is-not", Breaks: ids("LIST-7"), May: ids("LIST-8"),
		Suffers: "The comparison is the wrong way round.",
		apply: func(b *behaviour) {
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				pets, err := find(c, filter{})
				if err != nil {
					return nil, err
				}
				pets = slices.DeleteFunc(pets, func(p spec.Pet) bool { return f.status != "" && p.Status == f.status })
				return pets[:min(f.limit, len(pets))], nil
			}
		},
	},
	lacking("filter-finds-no-pending", "Reserved animals cannot be found.", func(f filter, _ spec.Pet) bool { return f.status == spec.Pending }),
	lacking("filter-finds-no-sold", "Sold animals are hidden, also from whoever asks for them.", func(f filter, _ spec.Pet) bool { return f.status == spec.Sold }),
	lacking("filter-finds-nothing", "The filter compares what is never equal.", func(filter, spec.Pet) bool { return true }),
	lacking("filter-finds-ascii-names", "The index leaves out names beyond ASCII.", func(_ filter, p spec.Pet) bool { return beyond(p.Name, 0x7f) }),
	lacking("filter-finds-small-categories", "The index's columns hold 32 bits; animals of larger categories drop out.", func(_ filter, p spec.Pet) bool { return p.CategoryID != int64(int32(p.CategoryID)) }),
	{
		Name: "filter-after-limit", Breaks: ids("LIST-8"),
		Suffers: "The filter looks only at as many animals as are asked for, and finds none behind them.",
		apply: func(b *behaviour) {
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				pets, err := find(c, filter{limit: f.limit})
				return slices.DeleteFunc(pets, func(p spec.Pet) bool { return f.status != "" && p.Status != f.status }), err
			}
		},
	},
	{
		Name: "filter-with-limit-finds-nothing", Breaks: ids("LIST-8"),
		Suffers: "The page is counted over all animals, and the filtered ones are on none.",
		apply: func(b *behaviour) {
			b.refind(func(c *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status != "" && withLimit(c) {
					return nil
				}
				return pets
			})
		},
	},
	{
		Name: "filter-finds-10-at-most", Breaks: ids("LIST-8"), Needs: Animals,
		Suffers: "However large the limit, the index gives ten.",
		apply: func(b *behaviour) {
			b.seed = max(b.seed, 60)
			b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status != "" {
					pets = pets[:min(10, len(pets))]
				}
				return pets
			})
		},
	},
	{
		Name: "filter-misses-the-newest", Breaks: ids("LIST-8"),
		Suffers: "The index is written with the next creation.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status != "" && len(pets) > 0 {
					pets = pets[:len(pets)-1]
				}
				return pets
			})
		},
	},
	{
		Name: "filter-cached-for-ever", Breaks: ids("LIST-8"),
		Suffers: "The first answer to each filter is the answer for good.",
		apply:   func(b *behaviour) { b.cacheLists(func(f filter) bool { return f.status != "" }) },
	},
}
