package reference

import (
	"net/http"
	"strconv"

	"petconform/spec"
)

// limited makes a deviation that reads the limit otherwise.
func limited(name string, breaks spec.ID, suffers string, change func(n int, given bool) (int, *refusal), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			read := b.limit
			b.limit = func(value string, given bool) (int, *refusal) {
				n, refused := read(value, given)
				if refused != nil {
					return n, refused
				}
				return change(n, given)
			}
		},
	}
}

// refusing refuses limits that are within the range.
func refusing(is func(n int) bool) func(int, bool) (int, *refusal) {
	return func(n int, given bool) (int, *refusal) {
		if given && is(n) {
			return 0, invalid("limit_invalid", "The limit %d is out of range.", n)
		}
		return n, nil
	}
}

// takenAs takes a limit for another one; 0 lists every animal.
func takenAs(change func(n int) int) func(int, bool) (int, *refusal) {
	return func(n int, given bool) (int, *refusal) {
		if given {
			n = change(n)
		}
		return n, nil
	}
}

// byDefault lists another number when no limit is given.
func byDefault(instead int) func(int, bool) (int, *refusal) {
	return func(n int, given bool) (int, *refusal) {
		if !given {
			n = instead
		}
		return n, nil
	}
}

var listLimitDeviations = []Deviation{
	limited("limit-100-refused", "LIST-3", "The upper end of the range is excluded.", refusing(func(n int) bool { return n == spec.MaxLimit })),
	limited("limit-1-refused", "LIST-3", "The lower end of the range is excluded.", refusing(func(n int) bool { return n == spec.MinLimit })),
	limited("limit-above-50-refused", "LIST-3", "An older maximum is still enforced.", refusing(func(n int) bool { return n > 50 })),
	limited("limit-compared-as-text", "LIST-3", "Limits are compared as text, and 20 is more than 100.", refusing(func(n int) bool {
		return strconv.Itoa(n) > "100"
	}), "LIST-5", "LIST-6", "LIST-8"),
	limited("limit-below-5-refused", "LIST-3", "Small pages are not served.", refusing(func(n int) bool { return n < 5 })),
	{
		Name: "limit-100-fails", Breaks: ids("LIST-3"), May: ids("ERROR-7"),
		Suffers: "The largest listing ends in a server error.",
		apply: func(b *behaviour) {
			b.alter(on(spec.ListPets).and(succeeded).and(func(c *call, _ *answer) bool { return c.filter.limit == spec.MaxLimit }),
				withStatus(http.StatusInternalServerError))
		},
	},
	limited("limit-one-more", "LIST-4", "One animal more than asked for, as a paginator looks ahead.", takenAs(func(n int) int { return n + 1 })),
	limited("limit-one-more-than-1", "LIST-4", "A limit of 1 gives two animals: the count starts at 0.", takenAs(func(n int) int {
		if n == 1 {
			return 2
		}
		return n
	})),
	limited("limit-ignored", "LIST-4", "Every listing has 20 animals, whatever was asked for.", takenAs(func(n int) int { return max(n, spec.DefaultLimit) })),
	limited("limit-at-least-10", "LIST-4", "Small limits are raised without a word.", takenAs(func(n int) int { return max(n, 10) })),
	limited("limit-in-tens", "LIST-4", "Limits are rounded up to whole pages of ten.", takenAs(func(n int) int { return (n + 9) / 10 * 10 })),
	{
		Name: "limit-ignored-when-filtered", Breaks: ids("LIST-4"), May: ids("LIST-5"),
		Suffers: "A filtered listing may be endless.",
		apply: func(b *behaviour) {
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				if f.status != "" {
					f.limit = 0
				}
				return find(c, f)
			}
		},
	},
	{
		Name: "limit-per-status", Breaks: ids("LIST-4"), May: ids("LIST-5"),
		Suffers: "The limit counts for each status on its own, and the listing has several times as many.",
		apply: func(b *behaviour) {
			b.refound(func(f filter, pets []spec.Pet) []spec.Pet {
				count := map[spec.PetStatus]int{}
				kept := pets[:0]
				for _, p := range pets {
					if count[p.Status]++; count[p.Status] <= f.limit {
						kept = append(kept, p)
					}
				}
				return kept
			})
		},
	},
	{
		Name: "limit-100-of-101", Breaks: ids("LIST-4"), Needs: Animals, May: ids("LIST-12"),
		Suffers: "The largest listing has one animal too many, once there are so many.",
		apply: func(b *behaviour) {
			b.seed = max(b.seed, 130)
			b.refound(func(f filter, pets []spec.Pet) []spec.Pet {
				if f.limit == spec.MaxLimit {
					f.limit++
				}
				return pets[:min(f.limit, len(pets))]
			})
		},
	},
	{
		Name: "limit-one-less", Breaks: ids("LIST-8", "LIST-11"), May: ids("LIST-3"),
		Suffers: "One animal fewer than there is room for; a limit of 1 gives none.",
		apply: func(b *behaviour) {
			b.refound(func(f filter, pets []spec.Pet) []spec.Pet { return pets[:min(f.limit-1, len(pets))] })
		},
	},
	{
		Name: "limit-one-less-of-all", Breaks: ids("LIST-11"), Needs: Explore,
		Suffers: "An unfiltered listing that its limit would just hold lacks the last animal.",
		apply: func(b *behaviour) {
			b.refound(func(f filter, pets []spec.Pet) []spec.Pet {
				if f.status == "" && len(pets) == f.limit {
					return pets[:len(pets)-1]
				}
				return pets[:min(f.limit, len(pets))]
			})
		},
	},
	limited("limit-defaults-to-10", "LIST-5", "Without a limit a client sees half of what was promised.", byDefault(10)),
	limited("limit-defaults-to-19", "LIST-5", "The default is off by one.", byDefault(19)),
	limited("limit-defaults-to-21", "LIST-5", "The default is off by one.", byDefault(21)),
	limited("limit-defaults-to-25", "LIST-5", "The framework's page size is used instead of the promised one.", byDefault(25)),
	limited("limit-defaults-to-50", "LIST-5", "Without a limit a client gets more than it made room for.", byDefault(50)),
	limited("limit-defaults-to-100", "LIST-5", "Without a limit a client gets the most that there is.", byDefault(spec.MaxLimit)),
	limited("limit-defaults-to-none", "LIST-5", "Without a limit the whole store is sent.", byDefault(0), "LIST-12"),
	limited("limit-defaults-to-1", "LIST-5", "Without a limit a client sees one animal.", byDefault(1), "LIST-11"),
	{
		Name: "limit-defaults-to-none-when-filtered", Breaks: ids("LIST-5"), Needs: Animals, May: ids("LIST-12"),
		Suffers: "A filtered listing without a limit is the whole store's.",
		apply: func(b *behaviour) {
			b.seed = max(b.seed, 120)
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				if f.status != "" && c.request.URL.Query().Get("limit") == "" {
					f.limit = 0
				}
				return find(c, f)
			}
		},
	},
}

// refound lists every animal that has the filter's status and lets change choose; nothing is cut afterwards.
func (b *behaviour) refound(change func(f filter, pets []spec.Pet) []spec.Pet) {
	find := b.find
	b.find = func(c *call, f filter) ([]spec.Pet, error) {
		pets, err := find(c, filter{status: f.status})
		if err != nil {
			return nil, err
		}
		return change(f, pets), nil
	}
}
