package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
)

// refuseValidBody refuses bodies that are valid.
func refuseValidBody(status int, is func(c *call) bool) func(*behaviour) {
	return func(b *behaviour) {
		b.checkDraft = after(b.checkDraft, func(c *call, refused *refusal) *refusal {
			if is(c) {
				return &refusal{status: status, code: "refused", message: "The animal is refused."}
			}
			return refused
		})
	}
}

// nameHas and statusIs select requests by the NewPet that was read.
func nameHas(is func(name string) bool) func(c *call) bool {
	return func(c *call) bool { return is(c.draft.Name) }
}

func bodyHas(text string) func(c *call) bool {
	return func(c *call) bool { return bytes.Contains(c.body, []byte(text)) }
}

func statusIs(s spec.PetStatus) func(c *call) bool {
	return func(c *call) bool { return c.draft.Status == s }
}

func beyondASCII(name string) bool { return beyond(name, 0x7f) }
func beyondBMP(name string) bool   { return beyond(name, 0xffff) }

// created changes the answer to a creation.
func created(change func(*call, *answer)) func(*behaviour) {
	return having(http.StatusCreated).then(change)
}

func petPath(c *call) string { return c.request.URL.Path + "/" + whole(c.pet.ID) }

var createAnswerDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-1")}, []Deviation{
		{Name: "create-200", Suffers: "A client that checks for 201 takes a creation for something else.", apply: created(answering(http.StatusOK))},
		{Name: "create-202", Suffers: "The status says that the animal does not exist yet.", apply: created(answering(http.StatusAccepted))},
		{Name: "create-204", May: ids("CREATE-2", "SERVICE-1", "SERVICE-2"), Suffers: "A client does not learn which animal it created.", apply: created(replaced(http.StatusNoContent, "", ""))},
		{Name: "create-303", Suffers: "A client is redirected to the new animal and does not get it in the answer.", apply: created(redirected(http.StatusSeeOther, petPath))},
		{Name: "create-fails-afterwards", May: ids("ERROR-7", "CREATE-12"), Suffers: "The animal is created, the answer is an error, and a retry creates a second animal.",
			apply: created(withStatus(500))},
		{Name: "create-emoji-refused", May: ids("CREATE-3"), Suffers: "Names with characters beyond U+FFFF are refused.", apply: refuseValidBody(400, nameHas(beyondBMP))},
		{Name: "create-foreign-names-refused", May: ids("CREATE-3"), Suffers: "Names beyond ASCII are refused.", apply: refuseValidBody(400, nameHas(beyondASCII))},
		{Name: "create-apostrophe-refused", Suffers: "A firewall refuses names with an apostrophe.", apply: refuseValidBody(403, nameHas(func(name string) bool { return strings.Contains(name, "'") }))},
		{Name: "create-name-0-refused", Suffers: "The name \"0\" counts as no name, because the language takes it for false.", apply: refuseValidBody(400, nameHas(func(name string) bool { return name == "" || name == "0" }))},
		{Name: "create-pending-refused", Suffers: "An animal cannot be created as pending.", apply: refuseValidBody(400, statusIs(spec.Pending))},
		{Name: "create-sold-refused", Suffers: "An animal cannot be created as sold.", apply: refuseValidBody(400, statusIs(spec.Sold))},
		{Name: "create-spaces-refused", Suffers: "A reader of its own refuses spaces around colons, which many clients write.", apply: refuseValidBody(400, bodyHas("\" :"))},
		{Name: "create-escapes-refused", Suffers: "A reader of its own refuses an escaped slash, which some clients write.", apply: refuseValidBody(400, bodyHas(`\/`))},
		{Name: "create-order-of-members", Suffers: "A NewPet must begin with the name.", apply: refuseValidBody(400, func(c *call) bool {
			name, category := strings.Index(string(c.body), `"name"`), strings.Index(string(c.body), `"categoryId"`)
			return category >= 0 && category < name
		})},
		{Name: "create-white-space-refused", Suffers: "A body with a line break is refused.", apply: refuseValidBody(400, func(c *call) bool {
			return strings.Contains(string(c.body), "\n")
		})},
		{Name: "create-namesakes-refused", Suffers: "Two animals cannot have the same name.", apply: func(b *behaviour) {
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
		}},
		{Name: "create-fails-now-and-then", May: ids("CREATE-14", "ERROR-7"), Suffers: "Every fifth creation ends in a server error.", apply: func(b *behaviour) {
			add, fifth := b.act[spec.CreatePet], every(5)
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if fifth(c, nil) {
					return internal()
				}
				return add(c)
			}
		}},
	}),
	table(Deviation{Breaks: ids("CREATE-14")}, []Deviation{
		{Name: "create-status-required", Suffers: "A NewPet without the optional status is refused.", apply: refuseValidBody(400, statusIs(""))},
		{Name: "create-without-status-fails", May: ids("ERROR-7"), Suffers: "A NewPet without the optional status ends in a server error.", apply: refuseValidBody(500, statusIs(""))},
	}),
	table(Deviation{Breaks: ids("CREATE-2")}, []Deviation{
		{Name: "create-answers-array", Suffers: "The new animal is an element of an array.", apply: created(surrounded("[", "]"))},
		{Name: "create-answers-wrapped", May: ids("PET-1", "PET-2", "PET-3"), Suffers: "The new animal is nested in the member pet.", apply: created(surrounded(`{"pet":`, `}`))},
		{Name: "create-answers-id", Suffers: "The body is the id alone.", apply: created(func(c *call, a *answer) { a.body = []byte(whole(c.pet.ID)) })},
		{Name: "create-answers-null", Suffers: "The body is null.", apply: created(saying("null"))},
		{Name: "create-answers-success", May: ids("PET-1", "PET-2", "PET-3", "CREATE-3"), Suffers: "The body says that the creation succeeded, without the animal.",
			apply: created(saying(`{"success":true}`))},
	}),
)
