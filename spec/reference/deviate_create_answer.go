package reference

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"petconform/spec"
)

// createRefused makes a deviation that refuses bodies which are valid.
func createRefused(name string, breaks spec.ID, suffers string, status int, is func(c *call) bool, may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			before := b.checkDraft
			b.checkDraft = func(c *call) *refusal {
				if is(c) {
					return &refusal{status: status, code: "refused", message: "The animal is refused."}
				}
				return before(c)
			}
		},
	}
}

func created(name string, breaks spec.ID, suffers string, change func(*call, *answer), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) { b.alter(having(http.StatusCreated), change) },
	}
}

func answering(status int) func(*call, *answer) {
	return func(_ *call, a *answer) { a.status = status }
}

var createAnswerDeviations = slices.Concat(createStatusDeviations, createShapeDeviations)

// CREATE-1 and CREATE-14: a valid NewPet is answered 201.
var createStatusDeviations = []Deviation{
	created("create-200", "CREATE-1", "A client that checks for 201 takes a creation for something else.", answering(http.StatusOK)),
	created("create-202", "CREATE-1", "The status says that nothing is there yet.", answering(http.StatusAccepted)),
	created("create-204", "CREATE-1", "The client does not learn which animal it created.", func(_ *call, a *answer) { *a = answer{status: http.StatusNoContent} }, "CREATE-2", "SERVICE-1", "SERVICE-2"),
	created("create-303", "CREATE-1", "The client is sent to the animal instead of being given it.", func(c *call, a *answer) {
		c.header.Set("Location", c.request.URL.Path+"/"+whole(c.pet.ID))
		*a = answer{status: http.StatusSeeOther}
	}),
	created("create-fails-afterwards", "CREATE-1", "The animal is there, the answer is an error, and a retry makes a second one.", withStatus(http.StatusInternalServerError), "ERROR-7", "CREATE-12"),
	createRefused("create-emoji-refused", "CREATE-1", "Names with characters beyond the first plane are refused.", 400, func(c *call) bool { return beyond(c.draft.Name, 0xffff) }, "CREATE-3"),
	createRefused("create-foreign-names-refused", "CREATE-1", "Only names in ASCII are taken.", 400, func(c *call) bool { return beyond(c.draft.Name, 0x7f) }, "CREATE-3"),
	createRefused("create-apostrophe-refused", "CREATE-1", "A firewall takes an apostrophe for an attack.", 403, func(c *call) bool { return strings.Contains(c.draft.Name, "'") }),
	createRefused("create-pending-refused", "CREATE-1", "One of the three values is unknown to the validator.", 400, func(c *call) bool { return c.draft.Status == spec.Pending }),
	createRefused("create-sold-refused", "CREATE-1", "An animal may not be created as sold, which nobody was told.", 400, func(c *call) bool { return c.draft.Status == spec.Sold }),
	createRefused("create-status-required", "CREATE-14", "The optional status is required.", 400, func(c *call) bool { return c.draft.Status == "" }),
	createRefused("create-without-status-fails", "CREATE-14", "A column does not take what was left out.", 500, func(c *call) bool { return c.draft.Status == "" }, "ERROR-7"),
	explored(createRefused("create-order-of-members", "CREATE-1", "A reader by position wants the name first.", 400, func(c *call) bool {
		name, category := strings.Index(string(c.body), `"name"`), strings.Index(string(c.body), `"categoryId"`)
		return category >= 0 && category < name
	})),
	explored(createRefused("create-white-space-refused", "CREATE-1", "A body on more than one line is refused.", 400, func(c *call) bool {
		return strings.Contains(string(c.body), "\n")
	})),
	{
		Name: "create-namesakes-refused", Breaks: ids("CREATE-1"), Needs: Explore,
		Suffers: "Two animals of the same name cannot be there, which the interface does not say.",
		apply: func(b *behaviour) {
			var names sync.Map
			before := b.checkDraft
			b.checkDraft = func(c *call) *refusal {
				if refused := before(c); refused != nil {
					return refused
				}
				if _, twice := names.LoadOrStore(c.draft.Name, true); twice {
					return &refusal{status: http.StatusConflict, code: "conflict", message: "There is an animal of that name."}
				}
				return nil
			}
		},
	},
	{
		Name: "create-fails-now-and-then", Breaks: ids("CREATE-1"), May: ids("CREATE-14", "ERROR-7"),
		Suffers: "Every fifth creation meets a worker that has lost its database.",
		apply: func(b *behaviour) {
			add, fifth := b.act[spec.CreatePet], every(5)
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if fifth(c, nil) {
					return internal()
				}
				return add(c)
			}
		},
	},
}

// CREATE-2: the body of a 201 is the Pet itself.
var createShapeDeviations = []Deviation{
	created("create-answers-array", "CREATE-2", "The new animal stands in an array.", surrounded("[", "]")),
	created("create-answers-wrapped", "CREATE-2", "The new animal is one level deeper than promised.", surrounded(`{"pet":`, `}`), "PET-1", "PET-2", "PET-3"),
	created("create-answers-id", "CREATE-2", "The answer is the bare id.", func(c *call, a *answer) { a.body = []byte(strconv.FormatInt(c.pet.ID, 10)) }),
	created("create-answers-null", "CREATE-2", "The answer is null.", saying("null")),
	created("create-answers-word", "CREATE-2", "The answer is a word.", saying(`"created"`)),
	created("create-answers-true", "CREATE-2", "The answer says only that it went well.", saying("true")),
	created("create-answers-success", "CREATE-2", "The answer is a report on success, without the animal.", saying(`{"success":true}`), "PET-1", "PET-2", "PET-3", "CREATE-3"),
}
