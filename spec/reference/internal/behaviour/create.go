package behaviour

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// ReadNewPet reads createPet's body: its media type, its bytes, its syntax, its members.
func (b *Behaviour) ReadNewPet(c *Call) *Refusal {
	if refused := b.MediaType(c); refused != nil {
		return refused
	}
	if refused := b.ReadBody(c); refused != nil {
		return refused
	}
	object, err := b.Parse(c.Body)
	if err != nil {
		return Invalid("body_invalid", "The body is not JSON: %v.", err)
	}
	if object.Kind != strictjson.Object {
		return Invalid("body_invalid", "The body must be a JSON object, not %s.", object.Kind)
	}
	if twice, is := b.Doubled(object); is {
		return Invalid("member_twice", "The member %s is given twice.", twice)
	}
	if refused := b.readMembers(c, object); refused != nil {
		return refused
	}
	return b.CheckDraft(c)
}

func (b *Behaviour) readMembers(c *Call, object strictjson.Value) (refused *Refusal) {
	if c.Draft.Name, refused = required(b, c, object, "name", b.Name); refused != nil {
		return refused
	}
	if c.Draft.CategoryID, refused = required(b, c, object, "categoryId", b.categoryID); refused != nil {
		return refused
	}
	if status, given := b.Member(object, "status"); given {
		if c.Draft.Status, refused = b.Status(status); refused != nil {
			return refused
		}
	}
	for _, m := range object.Members {
		if m.Name != "name" && m.Name != "categoryId" && m.Name != "status" {
			c.Draft.Extra = append(c.Draft.Extra, m)
		}
	}
	return nil
}

// required reads a required member.
func required[T any](
	b *Behaviour, c *Call, object strictjson.Value, name string, read func(strictjson.Value) (T, *Refusal),
) (T, *Refusal) {
	v, given := b.Member(object, name)
	if !given {
		var none T
		return none, b.Missing(c, name)
	}
	return read(v)
}

func readName(v strictjson.Value) (string, *Refusal) {
	if v.Kind != strictjson.String {
		return "", Invalid("name_invalid", "The name must be a string, not %s.", v.Kind)
	}
	return v.Text, nil
}

func readCategoryID(v strictjson.Value) (int64, *Refusal) {
	n, err := v.Int64()
	if err != nil {
		return 0, Invalid("category_id_invalid", "The categoryId %v.", err)
	}
	return n, nil
}

func readStatus(v strictjson.Value) (spec.PetStatus, *Refusal) {
	if v.Kind != strictjson.String {
		return "", Invalid("status_invalid", "The status must be available, pending or sold, not %s.", v.Kind)
	}
	if s := spec.PetStatus(v.Text); s.Valid() {
		return s, nil
	}
	return "", Invalid("status_invalid", "The status must be available, pending or sold.")
}

// JSONOnly refuses another media type than application/json. A body without a media type is read as JSON, the only
// one that the interface has.
func JSONOnly(c *Call) *Refusal {
	declared := c.Request.Header.Get("Content-Type")
	if declared == "" || declared == MediaJSON {
		return nil
	}
	media, parameters, err := mime.ParseMediaType(declared)
	charset := parameters["charset"]
	if err == nil && media == MediaJSON && (charset == "" || strings.EqualFold(charset, "utf-8")) {
		return nil
	}
	return Refused(http.StatusUnsupportedMediaType, "unsupported_media_type", "The body is not declared application/json.")
}

// boundedBody reads the body up to maxBody bytes.
func boundedBody(c *Call) *Refusal {
	most := c.Service.MaxBody
	var tooLarge *http.MaxBytesError
	var err error
	if c.Request.ContentLength > most {
		err = &http.MaxBytesError{Limit: most}
	} else {
		c.Body, err = io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, most))
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return Refused(http.StatusRequestEntityTooLarge, "body_too_large", "The body is too large.")
	default:
		return Invalid("body_unreadable", "The body could not be read to its end.")
	}
}

// Create stores the animal.
func (b *Behaviour) Create(c *Call) *Refusal {
	c.Pet = b.Add(c, b.keep(c, c.Draft.NewPet))
	return nil
}

// refuseMissing refuses a body without one of the two required members.
func refuseMissing(_ *Call, member string) *Refusal {
	code := map[string]string{"name": "name_missing", "categoryId": "category_id_missing"}[member]
	return Invalid(code, "The member %s is missing.", member)
}
