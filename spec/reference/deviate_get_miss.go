package reference

import (
	"net/http"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// missed makes a deviation that changes getPet's 404 for an int64 that is no animal's id.
func missed(name, suffers string, is func(id int64) bool, change func(*call, *answer), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids("GET-3"), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			b.alter(on(spec.GetPet).and(having(http.StatusNotFound)).and(func(c *call, _ *answer) bool {
				_, refused := readPetID(c.petID)
				return refused == nil && is(c.id)
			}), change)
		},
	}
}

func anyID(int64) bool { return true }

// firstOnly asks for the first animal that was created.
var firstOnly = store.Query{Limit: 1}

// GET-3: an int64 that is no animal's id is answered 404.
var getMissDeviations = []Deviation{
	missed("miss-200-null", "A client that decodes an animal gets null.", anyID, replaced(200, mediaJSON, "null"), "GET-2"),
	missed("miss-200-empty-object", "A client that decodes an animal gets one without anything.", anyID, replaced(200, mediaJSON, "{}"), "GET-2", "PET-1", "PET-2", "PET-3"),
	missed("miss-200-empty-array", "A search finds nothing and says so with an empty array.", anyID, replaced(200, mediaJSON, "[]"), "GET-2"),
	missed("miss-200-error", "A miss is told with 200 and an Error in the body.", anyID, answering(200), "GET-2", "PET-1", "PET-2", "PET-3"),
	missed("miss-204", "A miss looks like success without a body.", anyID, replaced(204, "", ""), "GET-2", "SERVICE-1", "SERVICE-2"),
	missed("miss-400", "An id that is fine looks malformed.", anyID, withStatus(400)),
	missed("miss-403", "An animal that is not there looks forbidden.", anyID, withStatus(403)),
	missed("miss-410", "An animal that never was looks removed.", anyID, withStatus(410)),
	missed("miss-422", "An id that is fine looks malformed.", anyID, withStatus(422)),
	missed("miss-500", "An animal that is not there is a server error, and is retried.", anyID, withStatus(500), "ERROR-7"),
	missed("miss-beyond-32-bits-400", "Ids beyond 2^31 are told as malformed.", func(id int64) bool { return id != int64(int32(id)) }, withStatus(400)),
	missed("miss-beyond-32-bits-500", "Ids beyond 2^31 end in a server error.", func(id int64) bool { return id != int64(int32(id)) }, withStatus(500), "ERROR-7"),
	explored(missed("miss-negative-500", "A negative id ends in a server error.", func(id int64) bool { return id < 0 }, withStatus(500), "ERROR-7")),
	explored(missed("miss-0-400", "The id 0 is told as malformed.", func(id int64) bool { return id == 0 }, withStatus(400))),
	{
		Name: "miss-answers-somebody", Breaks: ids("GET-3"), May: ids("GET-2"),
		Suffers: "A client that mistypes an id adopts another animal.",
		apply: func(b *behaviour) {
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, id)
				if all, errAll := c.service.store.List(nil, firstOnly); !found && errAll == nil && len(all) > 0 {
					return all[0], true, err
				}
				return pet, found, err
			}
		},
	},
}
