package behaviour

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// ReadNewPet reads createPet's body: its media type, its bytes, its syntax, its members.
func (b *Behaviour) ReadNewPet(c *Call) *Refusal {
	if refused := readBody(c); refused != nil {
		return refused
	}
	body := c.Body
	for _, change := range b.bodies {
		body = change(body)
	}
	object, err := strictjson.Parse(body)
	if err != nil {
		return Invalid("body_invalid", "The body is not JSON: %v.", err)
	}
	if object.Kind != '{' {
		return Invalid("body_invalid", "The body must be a JSON object.")
	}
	if twice, is := object.Doubled(); is {
		return Invalid("member_twice", "The member %s is given twice.", twice)
	}
	for _, m := range object.Members {
		if m.Name != "name" && m.Name != "categoryId" && m.Name != "status" {
			c.Draft.Extra = append(c.Draft.Extra, m)
		}
	}
	for _, name := range []string{"name", "categoryId", "status"} {
		v := object.Member(name)
		switch {
		case v.Kind != 0:
			if refused := readMember(&c.Draft.NewPet, name, v); refused != nil {
				return refused
			}
		case name == "name":
			return Invalid("name_missing", "The member name is missing.")
		case name == "categoryId":
			return Invalid("category_id_missing", "The member categoryId is missing.")
		}
	}
	return nil
}

func readMember(p *spec.NewPet, name string, v strictjson.Value) *Refusal {
	switch name {
	case "name":
		if p.Name = v.Text; v.Kind != '"' {
			return Invalid("name_invalid", "The name must be a string.")
		}
	case "categoryId":
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if p.CategoryID = n; v.Kind != '0' || err != nil {
			return Invalid("category_id_invalid", "The categoryId must be an int64.")
		}
	case "status":
		if p.Status = spec.PetStatus(v.Text); v.Kind != '"' || !p.Status.Valid() {
			return Invalid("status_invalid", "The status must be available, pending or sold.")
		}
	}
	return nil
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

// readBody reads a JSON body of up to MaxBody bytes.
func readBody(c *Call) *Refusal {
	if refused := JSONOnly(c); refused != nil {
		return refused
	}
	var err error
	c.Body, err = io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, c.Service.MaxBody))
	switch tooLarge := (*http.MaxBytesError)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return Refused(http.StatusRequestEntityTooLarge, "body_too_large", "The body is too large.")
	}
	return Invalid("body_unreadable", "The body could not be read to its end.")
}
