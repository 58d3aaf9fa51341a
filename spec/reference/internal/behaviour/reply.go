package behaviour

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/strictjson"
)

const MediaJSON = "application/json"

func (b *Behaviour) replyList(c *Call) Answer {
	return Answer{http.StatusOK, MediaJSON, Array(b.writePets(c, c.Pets))}
}

func (b *Behaviour) replyCreated(c *Call) Answer {
	return Answer{http.StatusCreated, MediaJSON, b.writePets(c, []spec.Pet{c.Pet})[0]}
}

func (b *Behaviour) replyFetched(c *Call) Answer {
	b.Sunset(c)
	return Answer{http.StatusOK, MediaJSON, b.writePets(c, []spec.Pet{c.Pet})[0]}
}

// writePets writes animals as they are shown.
func (b *Behaviour) writePets(c *Call, pets []spec.Pet) [][]byte {
	b.shown(c, pets)
	all := make([][]byte, len(pets))
	for i, p := range pets {
		all[i] = Encode(PetFields(p))
	}
	return all
}

// Refuse writes a refusal as an Error, with the headers of its status.
func (b *Behaviour) Refuse(c *Call, r *Refusal) Answer {
	if r.Status == http.StatusUnauthorized {
		c.SetHeader("Www-Authenticate", `Bearer realm="pet adoption"`)
	}
	c.SetHeader("Allow", r.allow)
	if c.Operation == spec.GetPet && c.Account != nil {
		b.Sunset(c)
	}
	return Answer{r.Status, MediaJSON, Encode(errorFields(spec.Error{Code: r.Code, Message: r.Message, Status: r.Status}))}
}

func Array(elements [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
}

// Field is a member of an object in an answer. Its value is JSON.
type Field struct{ Name, Value string }

// Pair is a member with that JSON.
func Pair(name, value string) Field { return Field{name, value} }

// PetFields are the members of a Pet. An animal without a status has no member status.
func PetFields(p spec.Pet) []Field {
	fields := []Field{{"id", Whole(p.ID)}, {"name", Quoted(p.Name)}, {"categoryId", Whole(p.CategoryID)}}
	if p.Status != "" {
		fields = append(fields, Field{"status", Quoted(string(p.Status))})
	}
	return fields
}

func errorFields(e spec.Error) []Field {
	return []Field{{"code", Quoted(e.Code)}, {"message", Quoted(e.Message)}, {"status", strconv.Itoa(e.Status)}}
}

// Encode writes an object.
func Encode(fields []Field) []byte {
	out := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, Quoted(f.Name)...), ':')
		out = append(out, f.Value...)
	}
	return append(out, '}')
}

// Quoted writes a JSON string.
func Quoted(s string) string { return string(strictjson.AppendString(nil, s)) }

func Whole(n int64) string { return strconv.FormatInt(n, 10) }

// writeAnswer sends an answer with its Content-Length.
func writeAnswer(c *Call, a Answer) {
	h := c.Header
	if a.MediaType == "" {
		// Without an entry net/http would guess the media type.
		h["Content-Type"] = nil
	} else {
		h["Content-Type"] = []string{a.MediaType}
	}
	if a.Status != http.StatusNoContent {
		h["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	}
	c.Writer.WriteHeader(a.Status)
	if a.Status != http.StatusNoContent {
		// The error means that the client has gone away.
		_, _ = c.Writer.Write(a.Body)
	}
}
