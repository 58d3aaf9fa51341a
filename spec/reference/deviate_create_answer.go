package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
)

func bodyHas(text string) func(c *call) bool {
	return func(c *call) bool { return bytes.Contains(c.body, []byte(text)) }
}

func statusIs(s spec.PetStatus) func(c *call) bool {
	return func(c *call) bool { return c.draft.Status == s }
}

func beyondASCII(name string) bool { return beyond(name, 0x7f) }
func beyondBMP(name string) bool   { return beyond(name, 0xffff) }

var createAnswerDeviations = slices.Concat(
	faults(breaks("CREATE-1"))(
		fault("create-200", "A client that checks for 201 takes a creation for something else.",
			created(answering(200))),
		fault("create-202", "The status says that the animal does not exist yet.", created(answering(202))),
		fault("create-204", "A client does not learn which animal it created.",
			created(replaced(204, "", "")), may("CREATE-2", "SERVICE-1", "SERVICE-2")),
		fault("create-303", "A client is redirected to the new animal and does not get it in the answer.",
			created(redirected(303, petPath))),
		fault("create-fails-afterwards",
			"The animal is created, the answer is an error, and a retry creates a second animal.",
			created(withStatus(500)), may("ERROR-7", "CREATE-12")),
		fault("create-emoji-refused", "Names with characters beyond U+FFFF are refused.",
			refuseDraft(400, nameHas(beyondBMP)), may("CREATE-3")),
		fault("create-foreign-names-refused", "Names beyond ASCII are refused.",
			refuseDraft(400, nameHas(beyondASCII)), may("CREATE-3")),
		fault("create-apostrophe-refused", "A firewall refuses names with an apostrophe.",
			refuseDraft(403, nameHas(func(name string) bool { return strings.Contains(name, "'") }))),
		fault("create-name-0-refused", "The name \"0\" counts as no name, because the language takes it for false.",
			refuseDraft(400, nameHas(func(name string) bool { return name == "" || name == "0" }))),
		fault("create-pending-refused", "An animal cannot be created as pending.",
			refuseDraft(400, statusIs(spec.Pending))),
		fault("create-sold-refused", "An animal cannot be created as sold.", refuseDraft(400, statusIs(spec.Sold))),
		fault("create-spaces-refused", "A reader of its own refuses spaces around colons, which many clients write.",
			refuseDraft(400, bodyHas("\" :"))),
		fault("create-escapes-refused", "A reader of its own refuses an escaped slash, which some clients write.",
			refuseDraft(400, bodyHas(`\/`))),
		fault("create-order-of-members", "A NewPet must begin with the name.", refuseDraft(400, func(c *call) bool {
			name, category := strings.Index(string(c.body), `"name"`), strings.Index(string(c.body), `"categoryId"`)
			return category >= 0 && category < name
		})),
		fault("create-white-space-refused", "A body with a line break is refused.",
			refuseDraft(400, func(c *call) bool {
				return strings.Contains(string(c.body), "\n")
			})),
		fault("create-namesakes-refused", "Two animals cannot have the same name.",
			func(b *behaviour) {
				var names sync.Map
				b.checkDraft = after(b.checkDraft, func(c *call, refused *refusal) *refusal {
					if refused != nil {
						return refused
					}
					if _, twice := names.LoadOrStore(c.draft.Name, true); twice {
						return &refusal{status: http.StatusConflict, code: "conflict", message: "There is an animal of that name."}
					}
					return nil
				})
			}),
		fault("create-fails-now-and-then", "Every fifth creation ends in a server error.", func(b *behaviour) {
			add, fifth := b.act[spec.CreatePet], every(5)
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if fifth(c, nil) {
					return internal()
				}
				return add(c)
			}
		}, may("CREATE-14", "ERROR-7")),
	),
	faults(breaks("CREATE-14"))(
		fault("create-status-required", "A NewPet without the optional status is refused.",
			refuseDraft(400, statusIs(""))),
		fault("create-without-status-fails", "A NewPet without the optional status ends in a server error.",
			refuseDraft(500, statusIs("")), may("ERROR-7")),
	),
	faults(breaks("CREATE-2"))(
		fault("create-answers-array", "The new animal is an element of an array.", created(surrounded("[", "]"))),
		fault("create-answers-wrapped", "The new animal is nested in the member pet.",
			created(surrounded(`{"pet":`, `}`)), may("PET-1", "PET-2", "PET-3")),
		fault("create-answers-id", "The body is the id alone.",
			created(func(c *call, a *answer) { a.body = []byte(whole(c.pet.ID)) })),
		fault("create-answers-null", "The body is null.", created(saying("null"))),
		fault("create-answers-success", "The body says that the creation succeeded, without the animal.",
			created(saying(`{"success":true}`)), may("PET-1", "PET-2", "PET-3", "CREATE-3")),
	),
)
