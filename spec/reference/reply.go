package reference

import (
	"net/http"
	"strconv"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

const mediaJSON = "application/json"

func (b *behaviour) replyList(c *call) answer {
	c.buffer = b.list(c.buffer[:0], c, c.pets)
	return answer{http.StatusOK, mediaJSON, c.buffer}
}

func (b *behaviour) replyCreated(c *call) answer {
	c.buffer = b.pet[spec.CreatePet](c.buffer[:0], b.created(c, c.pet))
	return answer{http.StatusCreated, mediaJSON, c.buffer}
}

func (b *behaviour) replyFetched(c *call) answer {
	b.sunset(c)
	c.buffer = b.pet[spec.GetPet](c.buffer[:0], c.pet)
	return answer{http.StatusOK, mediaJSON, c.buffer}
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
	c.buffer = b.failure(c.buffer[:0], c, spec.Error{Code: r.code, Message: r.message, Status: r.status})
	return answer{r.status, mediaJSON, c.buffer}
}

func (b *behaviour) appendPets(dst []byte, _ *call, pets []spec.Pet) []byte {
	write := b.pet[spec.ListPets]
	dst = append(dst, '[')
	for i, p := range pets {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = write(dst, p)
	}
	return append(dst, ']')
}

// appendPet writes a Pet. An animal without a status has no member status.
func appendPet(dst []byte, p spec.Pet) []byte {
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendInt(dst, p.ID, 10)
	dst = append(dst, `,"name":`...)
	dst = strictjson.AppendString(dst, p.Name)
	dst = append(dst, `,"categoryId":`...)
	dst = strconv.AppendInt(dst, p.CategoryID, 10)
	if p.Status != "" {
		dst = append(dst, `,"status":`...)
		dst = strictjson.AppendString(dst, string(p.Status))
	}
	return append(dst, '}')
}

func appendError(dst []byte, _ *call, e spec.Error) []byte {
	dst = append(dst, `{"code":`...)
	dst = strictjson.AppendString(dst, e.Code)
	dst = append(dst, `,"message":`...)
	dst = strictjson.AppendString(dst, e.Message)
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(e.Status), 10)
	return append(dst, '}')
}

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
