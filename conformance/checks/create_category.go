package checks

import (
	"fmt"
	"math"

	"petconform/conformance/check"
	"petconform/spec"
)

// createCategory: categoryId is an int64 (Resources / NewPet). A service may refuse a category that does not exist. The rule
// created-as-sent checks that an accepted one is returned with every digit and its sign. A server error is not a refusal.
var createCategory = check.Check{
	ID: "create-category", Title: "createPet with a categoryId beyond 2^53, below 0 and of 0", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"PET-5"}, Requests: len(categories) - deepCategories, Creates: len(categories) - deepCategories, Deeper: deepCategories,
	After: []string{getEarly.ID, "create-without-status"},
	Send: func(s *check.Sender) {
		var all []func()
		for _, c := range categories {
			if c.deep && !s.Deep() {
				continue
			}
			all = append(all, func() {
				p := s.Pet("category-"+c.step, spec.Available)
				p.CategoryID = c.id
				s.Create(c.step, p)
			})
		}
		all[0]() // alone, so that getPet is asked for the same id in every run
		s.Concurrently(all[1:]...)
	},
	Judge: func(j *check.Judge) {
		for _, c := range categories {
			x := j.Step(c.step)
			if x.N == 0 && c.deep || !j.Usable(x) {
				continue
			}
			if x.Status()/100 == 4 {
				j.Observe("PET-5", c.about, fmt.Sprintf("refused with %d", x.Status()))
				j.Evidence("%s: refused with %d, as an unknown category may be", c.about, x.Status())
				continue
			}
			if created(j, x) {
				j.Observe("PET-5", c.about, "accepted")
			}
		}
	},
}

var categories = []struct {
	step, about string
	id          int64
	deep        bool
}{
	{"beyond-2^53", "category 9007199254740993", 1<<53 + 1, false},
	{"negative", "category -1000", -1000, false}, // a decimal type may write -1E+3
	{"zero", "category 0", 0, false},
	{"largest", "the largest category", math.MaxInt64, true},
	{"smallest", "the smallest category", math.MinInt64, true},
}

const deepCategories = 2

// createID: the service assigns the id (Resources / Pet). It may refuse a request that has one.
var createID = check.Check{
	ID: "create-id", Title: "createPet with an id in the body", Operation: spec.CreatePet,
	Proves: "CREATE-4", Requests: 1, Creates: 1, After: []string{createCategory.ID},
	Send: func(s *check.Sender) {
		s.Post("id", fmt.Sprintf(`{"id":%d,"name":%q,"categoryId":%d,"status":"available"}`,
			chosenID(s.Config.Seed), s.Name("with-id"), s.Config.CategoryID))
	},
	Judge: func(j *check.Judge) {
		x := j.Step("id")
		if !j.Usable(x) {
			return
		}
		p, ok := x.Pet()
		sent, _ := x.SentPet()
		if !ok {
			j.Evidence("refused with %d", x.Status())
			return
		}
		j.Expect("CREATE-4", x, check.That(p.ID != sent.ID, "an id that the service assigned", p.ID+", the one that was sent"),
			"the id of an animal that was created with an id in the body")
	},
}

// chosenID is an id of 7e12 and more, which no counter reaches by chance and a float64 keeps exactly.
func chosenID(seed uint64) int64 { return int64(seed%1_000_000_007) + 7_000_000_000_000 }
