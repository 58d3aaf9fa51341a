package reference

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/strictjson"
)

const mediaJSON = "application/json"

func (b *behaviour) replyList(c *call) answer {
	return answer{http.StatusOK, mediaJSON, array(b.writePets(c, c.pets))}
}

func (b *behaviour) replyCreated(c *call) answer {
	return answer{http.StatusCreated, mediaJSON, b.writePets(c, []spec.Pet{c.pet})[0]}
}

func (b *behaviour) replyFetched(c *call) answer {
	b.sunset(c)
	return answer{http.StatusOK, mediaJSON, b.writePets(c, []spec.Pet{c.pet})[0]}
}

// writePets writes animals as they are shown.
func (b *behaviour) writePets(c *call, pets []spec.Pet) [][]byte {
	b.shown(c, pets)
	all := make([][]byte, len(pets))
	for i, p := range pets {
		all[i] = encode(petFields(p))
	}
	return all
}

// refuse writes a refusal as an Error, with the headers of its status.
func (b *behaviour) refuse(c *call, r *refusal) answer {
	if r.status == http.StatusUnauthorized {
		c.setHeader("Www-Authenticate", `Bearer realm="pet adoption"`)
	}
	c.setHeader("Allow", r.allow)
	if c.operation == spec.GetPet && c.account != nil {
		b.sunset(c)
	}
	return answer{r.status, mediaJSON, encode(errorFields(spec.Error{Code: r.code, Message: r.message, Status: r.status}))}
}

func array(elements [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
}

// field is a member of an object in an answer. Its value is JSON.
type field struct{ name, value string }

// petFields are the members of a Pet. An animal without a status has no member status.
func petFields(p spec.Pet) []field {
	fields := []field{{"id", whole(p.ID)}, {"name", quoted(p.Name)}, {"categoryId", whole(p.CategoryID)}}
	if p.Status != "" {
		fields = append(fields, field{"status", quoted(string(p.Status))})
	}
	return fields
}

func errorFields(e spec.Error) []field {
	return []field{{"code", quoted(e.Code)}, {"message", quoted(e.Message)}, {"status", strconv.Itoa(e.Status)}}
}

// encode writes an object.
func encode(fields []field) []byte {
	out := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, quoted(f.name)...), ':')
		out = append(out, f.value...)
	}
	return append(out, '}')
}

// quoted writes a JSON string.
func quoted(s string) string { return string(strictjson.AppendString(nil, s)) }

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// writeAnswer sends an answer with its Content-Length.
func writeAnswer(c *call, a answer) {
	h := c.header
	if a.mediaType == "" {
		// Without an entry net/http would guess the media type.
		h["Content-Type"] = nil
	} else {
		h["Content-Type"] = []string{a.mediaType}
	}
	if a.status != http.StatusNoContent {
		h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	}
	c.writer.WriteHeader(a.status)
	if a.status != http.StatusNoContent {
		// The error means that the client has gone away.
		_, _ = c.writer.Write(a.body)
	}
}
