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
		fault("create-200", "A client that checks for 201 takes a creation for something else.",
			Created(Answering(200))),
		fault("create-202", "The status says that the animal does not exist yet.", Created(Answering(202))),
		fault("create-204", "A client does not learn which animal it created.",
			Created(Replaced(204, "", "")), may("CREATE-2", "SERVICE-1", "SERVICE-2")),
		fault("create-303", "A client is redirected to the new animal and does not get it in the answer.",
			Created(Redirected(303, PetPath))),
		fault("create-fails-afterwards",
			"The animal is created, the answer is an error, and a retry creates a second animal.",
			Created(WithStatus(500)), may("ERROR-7", "CREATE-12")),
		fault("create-emoji-forbidden", "A firewall forbids names with characters beyond U+FFFF.",
			RefuseDraft(403, NameHas(beyondBMP)), may("CREATE-3")),
		fault("create-foreign-names-refused", "Names beyond ASCII are refused.",
			RefuseDraft(400, NameHas(beyondASCII)), may("CREATE-3")),
		fault("create-apostrophe-refused", "A firewall refuses names with an apostrophe.",
			RefuseDraft(403, NameHas(func(name string) bool { return strings.Contains(name, "'") }))),
		fault("create-name-0-refused", "The name \"0\" counts as no name, because the language takes it for false.",
			RefuseDraft(400, NameHas(func(name string) bool { return name == "" || name == "0" }))),
		fault("create-pending-refused", "An animal cannot be created as pending.",
			RefuseDraft(400, statusIs(spec.Pending))),
		fault("create-sold-refused", "An animal cannot be created as sold.", RefuseDraft(400, statusIs(spec.Sold))),
		fault("create-spaces-refused", "A reader of its own refuses spaces around colons, which many clients write.",
			RefuseDraft(400, bodyHas("\" :"))),
		fault("create-escapes-refused", "A reader of its own refuses an escaped slash, which some clients write.",
			RefuseDraft(400, bodyHas(`\/`))),
		fault("create-order-of-members", "A NewPet must begin with the name.", RefuseDraft(400, func(c *Call) bool {
			name, category := strings.Index(string(c.Body), `"name"`), strings.Index(string(c.Body), `"categoryId"`)
			return category >= 0 && category < name
		})),
		fault("create-white-space-refused", "A body with a line break is refused.",
			RefuseDraft(400, func(c *Call) bool { return strings.Contains(string(c.Body), "\n") })),
		fault("create-namesakes-refused", "Two animals cannot have the same name.", func(b *Behaviour) {
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
		fault("create-fails-now-and-then", "Every fifth creation ends in a server error.", func(b *Behaviour) {
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
		fault("create-status-required", "A NewPet without the optional status is refused.",
			RefuseDraft(400, statusIs(""))),
		fault("create-without-status-fails", "A NewPet without the optional status ends in a server error.",
			RefuseDraft(500, statusIs("")), may("ERROR-7")),
	),
	faults(breaks("CREATE-2"))(
		fault("create-answers-array", "The new animal is an element of an array.", Created(Surrounded("[", "]"))),
		fault("create-answers-wrapped", "The new animal is nested in the member pet.",
			Created(Surrounded(`{"pet":`, `}`)), may("PET-1", "PET-2", "PET-3")),
		fault("create-answers-id", "The body is the id alone.",
			Created(func(c *Call, a *Answer) { a.Body = []byte(Whole(c.Pet.ID)) })),
		fault("create-answers-null", "The body is null.", Created(Saying("null"))),
		fault("create-answers-success", "The body says that the creation succeeded, without the animal.",
			Created(Saying(`{"success":true}`)), may("PET-1", "PET-2", "PET-3", "CREATE-3")),
	),
)
