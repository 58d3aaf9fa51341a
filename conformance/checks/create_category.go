package checks

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
)

// createCategory: categoryId is an int64 (Resources / NewPet). A service may refuse a category that does not exist. The
// rule created-as-sent checks that an accepted one is returned with every digit and its sign. A server error is not a
// refusal.
var createCategory = categories.sentBy(check.Check{
	ID: "create-category", Title: "createPet with a categoryId beyond 2^53, below 0 and of 0", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"PET-5"}, Creates: len(categories.always), After: []string{getEarly.ID, "create-without-status"},
	Send: func(s *check.Sender) {
		all := each(s, categories.always, inCategory)
		s.Do(all[0]) // alone, so that getPet is asked for the same id in every run
		s.Together(all[1:]...)
	},
	Parts: func(s *check.Sender) (all []check.Request) {
		for _, c := range categories.all() {
			all = append(all, nameOrCategory(s, c)...)
		}
		return all
	},
	Judge: func(j *check.Judge) {
		for _, c := range categories.all() {
			x := narrowest(j, c.step)
			if x.N == 0 || !j.Usable(x) {
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
}, func(c category) string { return c.step }, inCategory)

// category is a categoryId that services mishandle.
type category struct {
	step, about string
	id          int64
	// name is made from that of an animal that create-statuses creates; nil for a name of its own.
	name func(available string) string
}

func inCategory(s *check.Sender, c category) check.Request {
	p := s.Pet("category-"+c.step, spec.Available)
	p.CategoryID = c.id
	if c.name != nil {
		p.Name = c.name(s.Name(string(spec.Available)))
	}
	return check.Create(c.step, p)
}

// nameOrCategory returns the name and the category of a request alone that ended in a server error.
func nameOrCategory(s *check.Sender, c category) []check.Request {
	if c.name == nil {
		return nil
	}
	named, numbered := s.Pet("category-"+c.step, spec.Available), s.Pet("category-"+c.step, spec.Available)
	named.Name, numbered.CategoryID = c.name(s.Name(string(spec.Available))), c.id
	x := lastStep(s.History(), "create-category", c.step)
	return partsOf(x, !crashed(x), check.Create(c.step, named), check.Create(c.step, numbered))
}

var categories = values[category]{
	always: []category{ // with names that a service may take for that of another animal, where it folds capitals or accents
		{"beyond-2^53", "category 9007199254740993", 1<<53 + 1, nil},
		{"negative", "category -1000", -1000, strings.ToUpper}, // a decimal type may write -1E+3
		{"zero", "category 0", 0, func(name string) string { return strings.ReplaceAll(name, "a", "à") }},
	},
	deep: []category{ // with names that a service may read as a number, or refuse
		{"largest", "the largest category", math.MaxInt64, func(string) string { return "1e3" }},
		{"smallest", "the smallest category", math.MinInt64, func(string) string { return "\x1b" }},
	},
}

// createID: the service assigns the id (Resources / Pet). It may refuse a request that has one.
var createID = check.Check{
	ID: "create-id", Title: "createPet with an id in the body", Operation: spec.CreatePet,
	Proves: "CREATE-4", Requests: 1, Creates: 1, After: []string{createCategory.ID},
	Send: func(s *check.Sender) { // with the name of another animal of its category, but for capitals
		s.Do(check.Post("id", fmt.Sprintf(`{"id":%d,"name":%q,"categoryId":%d,"status":"available"}`,
			chosenID(s.Config.Run), s.Name(strings.ToUpper(string(spec.Available))), s.CategoryID)))
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

// chosenID is an id of 7e12 and more, which no counter reaches by chance and a float64 keeps exactly. It is another one
// in each run, since a service that takes it keeps it.
func chosenID(run string) int64 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, run)
	return int64(h.Sum32()) + 7_000_000_000_000
}
