package deviations

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

func bodyHas(text string) func(c *Call) bool {
	return func(c *Call) bool { return bytes.Contains(c.Body, []byte(text)) }
}

func statusIs(s spec.PetStatus) func(c *Call) bool {
	return func(c *Call) bool { return c.Draft.Status == s }
}

func beyondASCII(name string) bool { return beyond(name, 0x7f) }
func beyondBMP(name string) bool   { return beyond(name, 0xffff) }

var createAnswerRows = slices.Concat(
	faults(breaks("CREATE-1"))(
		fault("create-200", Created(Answering(200))),
		fault("create-204", Created(Replaced(204, "", "")), may("CREATE-2", "SERVICE-1", "SERVICE-2")),
		fault("create-303", Created(Redirected(303, PetPath))),
		fault("create-fails-afterwards", Created(WithStatus(500)), may("ERROR-7", "CREATE-12")),
		fault("create-emoji-forbidden", RefuseDraft(403, NameHas(beyondBMP)), may("CREATE-3")),
		fault("create-foreign-names-refused", RefuseDraft(400, NameHas(beyondASCII)), may("CREATE-3")),
		fault("create-apostrophe-refused",
			RefuseDraft(403, NameHas(func(name string) bool { return strings.Contains(name, "'") }))),
		fault("create-name-0-refused",
			RefuseDraft(400, NameHas(func(name string) bool { return name == "" || name == "0" }))),
		fault("create-pending-refused", RefuseDraft(400, statusIs(spec.Pending))),
		fault("create-sold-refused", RefuseDraft(400, statusIs(spec.Sold))),
		fault("create-escapes-refused", RefuseDraft(400, bodyHas(`\/`))),
		fault("create-white-space-refused",
			RefuseDraft(400, func(c *Call) bool { return strings.Contains(string(c.Body), "\n") })),
		fault("create-namesakes-refused", func(b *Behaviour) {
			var names sync.Map
			b.CheckDraft = After(b.CheckDraft, func(c *Call, refused *Refusal) *Refusal {
				if refused != nil {
					return refused
				}
				if _, twice := names.LoadOrStore(c.Draft.Name, true); twice {
					return Refused(409, "conflict", "There is an animal of that name.")
				}
				return nil
			})
		}),
		fault("create-fails-now-and-then", func(b *Behaviour) {
			add, fifth := b.Act[spec.CreatePet], Every(5)
			b.Act[spec.CreatePet] = func(c *Call) *Refusal {
				if fifth(c, nil) {
					return Internal()
				}
				return add(c)
			}
		}, may("CREATE-14", "ERROR-7")),
	),
	faults(breaks("CREATE-14"))(
		fault("create-status-required", RefuseDraft(400, statusIs(""))),
		fault("create-without-status-fails", RefuseDraft(500, statusIs("")), may("ERROR-7")),
	),
	faults(breaks("CREATE-2"))(
		fault("create-answers-wrapped", Created(Surrounded(`{"pet":`, `}`)), may("PET-1", "PET-2", "PET-3")),
		fault("create-answers-null", Created(Saying("null"))),
	),
)
