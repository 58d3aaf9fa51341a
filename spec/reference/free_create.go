package reference

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// checked makes a freedom that refuses bodies which the interface leaves open.
func checked(name, part, clause, says string, status int, is func(c *call) bool) Freedom {
	return Freedom{
		Name: name, Open: open(clause), Says: says, Part: part,
		apply: func(b *behaviour) {
			before := b.checkDraft
			b.checkDraft = func(c *call) *refusal {
				if refused := before(c); refused != nil || !is(c) {
					return refused
				}
				return &refusal{status: status, code: "not_acceptable_here", message: "This shop does not take such an animal."}
			}
		},
	}
}

func unknownCategory(c *call) bool { return c.draft.CategoryID < 1 || c.draft.CategoryID > 10 }

// defaulting makes a freedom that gives a status to animals which are created without one.
func defaulting(to spec.PetStatus) Freedom {
	return Freedom{
		Name: "default-status-" + string(to), Open: open("CREATE-15"), Part: "default status",
		Says: "An animal that is created without a status is " + string(to) + ".",
		apply: func(b *behaviour) {
			b.store(func(p spec.NewPet) spec.NewPet {
				if p.Status == "" {
					p.Status = to
				}
				return p
			})
		},
	}
}

var createFreedoms = slices.Concat(bodyFreedoms, []Freedom{
	checked("categories-checked-400", "categories", "PET-5", "Only the categories 1 to 10 exist; others are answered 400.", http.StatusBadRequest, unknownCategory),
	checked("categories-checked-404", "categories", "PET-5", "Only the categories 1 to 10 exist; others are answered 404.", http.StatusNotFound, unknownCategory),
	checked("categories-checked-409", "categories", "PET-5", "Only the categories 1 to 10 exist; others are answered 409.", http.StatusConflict, unknownCategory),
	checked("categories-checked-422", "categories", "PET-5", "Only the categories 1 to 10 exist; others are answered 422.", http.StatusUnprocessableEntity, unknownCategory),
	checked("empty-names-refused", "empty names", "CREATE-17", "An empty name is answered 400.", http.StatusBadRequest, func(c *call) bool {
		return strings.TrimSpace(c.draft.Name) == ""
	}),
	checked("long-names-refused", "long names", "CREATE-17", "A name of more than 255 characters is answered 400.", http.StatusBadRequest, func(c *call) bool {
		return utf8.RuneCountInString(c.draft.Name) > 255
	}),
	checked("long-names-refused-422", "long names", "CREATE-17", "A name of more than 100 characters is answered 422.", http.StatusUnprocessableEntity, func(c *call) bool {
		return utf8.RuneCountInString(c.draft.Name) > 100
	}),
	checked("unknown-members-refused", "unknown members", "CREATE-16", "A member that NewPet does not name is answered 400.", http.StatusBadRequest, func(c *call) bool {
		return len(c.draft.extra) > 0
	}),
	checked("unknown-members-refused-422", "unknown members", "CREATE-16", "A member that NewPet does not name is answered 422.", http.StatusUnprocessableEntity, func(c *call) bool {
		return len(c.draft.extra) > 0
	}),
	{
		Name: "unknown-members-kept", Open: open("CREATE-16"), Part: "unknown members",
		Says:  "Members that NewPet does not name are kept and given back.",
		apply: func(b *behaviour) { b.keepExtra() },
	},
	defaulting(spec.Available),
	defaulting(spec.Pending),
	{
		Name: "null-status-accepted", Open: open("CREATE-18"), Part: "null status",
		Says: "A status that is null counts as left out.",
		apply: func(b *behaviour) {
			strict := b.status
			b.status = func(v strictjson.Value) (spec.PetStatus, *refusal) {
				if v.Kind == strictjson.Null {
					return "", nil
				}
				return strict(v)
			}
		},
	},
	{
		Name: "whole-numbers-in-any-form", Open: open("CREATE-20"), Part: "numbers",
		Says: "7.0 and 1e2 are taken for 7 and 100.",
		apply: func(b *behaviour) {
			strict := b.categoryID
			b.categoryID = func(v strictjson.Value) (int64, *refusal) {
				if n, ok := wholeNumber(v); ok {
					return n, nil
				}
				return strict(v)
			}
		},
	},
	{
		Name: "doubled-members-accepted", Open: open("CREATE-20"), Part: "doubled members",
		Says: "Of a member that is given twice the last one counts.",
		apply: func(b *behaviour) {
			b.doubled = func(strictjson.Value) (string, bool) { return "", false }
			b.member = func(object strictjson.Value, name string) (strictjson.Value, bool) {
				for _, m := range slices.Backward(object.Members) {
					if m.Name == name {
						return m.Value, true
					}
				}
				return strictjson.Value{}, false
			}
		},
	},
})

// keepExtra gives back what NewPet does not name, but for members that a Pet has itself.
func (b *behaviour) keepExtra() {
	var kept sync.Map
	add := b.add
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		pet, err := add(c, p)
		extra := slices.DeleteFunc(slices.Clone(c.draft.extra), func(m strictjson.Member) bool { return m.Name == "id" })
		kept.LoadOrStore(pet.ID, extra)
		return pet, err
	}
	for _, op := range showing {
		write := b.pet[op]
		b.pet[op] = func(dst []byte, p spec.Pet) []byte {
			dst = write(dst, p)
			extra, known := kept.Load(p.ID)
			if !known {
				return dst
			}
			dst = dst[:len(dst)-1]
			for _, m := range extra.([]strictjson.Member) {
				dst = append(strictjson.AppendString(append(dst, ','), m.Name), ':')
				dst = strictjson.Append(dst, m.Value)
			}
			return append(dst, '}')
		}
	}
}
