package reference

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// readNewPet reads createPet's body: its media type, its bytes, its syntax, its members.
func (b *behaviour) readNewPet(c *call) *refusal {
	if refused := b.mediaType(c); refused != nil {
		return refused
	}
	if refused := b.readBody(c); refused != nil {
		return refused
	}
	object, err := b.parse(c.body)
	if err != nil {
		return invalid("body_invalid", "The body is not JSON: %v.", err)
	}
	if object.Kind != strictjson.Object {
		return invalid("body_invalid", "The body must be a JSON object, not %s.", object.Kind)
	}
	if twice, is := b.doubled(object); is {
		return invalid("member_twice", "The member %s is given twice.", twice)
	}
	if refused := b.readMembers(c, object); refused != nil {
		return refused
	}
	return b.checkDraft(c)
}

func (b *behaviour) readMembers(c *call, object strictjson.Value) (refused *refusal) {
	if c.draft.Name, refused = required(b, c, object, "name", b.name); refused != nil {
		return refused
	}
	if c.draft.CategoryID, refused = required(b, c, object, "categoryId", b.categoryID); refused != nil {
		return refused
	}
	if status, given := b.member(object, "status"); given {
		if c.draft.Status, refused = b.status(status); refused != nil {
			return refused
		}
	}
	for _, m := range object.Members {
		if m.Name != "name" && m.Name != "categoryId" && m.Name != "status" {
			c.draft.extra = append(c.draft.extra, m)
		}
	}
	return nil
}

// required reads a required member.
func required[T any](b *behaviour, c *call, object strictjson.Value, name string, read func(strictjson.Value) (T, *refusal)) (T, *refusal) {
	v, given := b.member(object, name)
	if !given {
		var none T
		return none, b.missing(c, name)
	}
	return read(v)
}

func readName(v strictjson.Value) (string, *refusal) {
	if v.Kind != strictjson.String {
		return "", invalid("name_invalid", "The name must be a string, not %s.", v.Kind)
	}
	return v.Text, nil
}

func readCategoryID(v strictjson.Value) (int64, *refusal) {
	n, err := v.Int64()
	if err != nil {
		return 0, invalid("category_id_invalid", "The categoryId %v.", err)
	}
	return n, nil
}

func readStatus(v strictjson.Value) (spec.PetStatus, *refusal) {
	if v.Kind != strictjson.String {
		return "", invalid("status_invalid", "The status must be available, pending or sold, not %s.", v.Kind)
	}
	if s := spec.PetStatus(v.Text); s.Valid() {
		return s, nil
	}
	return "", invalid("status_invalid", "The status must be available, pending or sold.")
}

// jsonOnly refuses another media type than application/json. A body without a media type is read as JSON, the only one that
// the interface has.
func jsonOnly(c *call) *refusal {
	declared := c.request.Header.Get("Content-Type")
	if declared == "" || declared == mediaJSON {
		return nil
	}
	media, parameters, err := mime.ParseMediaType(declared)
	charset := parameters["charset"]
	if err == nil && media == mediaJSON && (charset == "" || strings.EqualFold(charset, "utf-8")) {
		return nil
	}
	return &refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_media_type",
		message: "The body is not declared application/json."}
}

// boundedBody reads the body up to maxBody bytes.
func boundedBody(c *call) *refusal {
	most := c.service.maxBody
	var tooLarge *http.MaxBytesError
	var err error
	if c.request.ContentLength > most {
		err = &http.MaxBytesError{Limit: most}
	} else {
		c.body, err = io.ReadAll(http.MaxBytesReader(c.writer, c.request.Body, most))
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return &refusal{status: http.StatusRequestEntityTooLarge, code: "body_too_large", message: "The body is too large."}
	default:
		return invalid("body_unreadable", "The body could not be read to its end.")
	}
}

// create stores the animal.
func (b *behaviour) create(c *call) *refusal {
	pet, err := b.add(c, b.keep(c, c.draft.NewPet))
	if err != nil {
		c.service.complain(c, "the animal could not be stored", slog.Any("error", err))
		return internal()
	}
	c.pet = pet
	return nil
}

// refuseMissing refuses a body without one of the two required members.
func refuseMissing(_ *call, member string) *refusal {
	code := map[string]string{"name": "name_missing", "categoryId": "category_id_missing"}[member]
	return invalid(code, "The member %s is missing.", member)
}
