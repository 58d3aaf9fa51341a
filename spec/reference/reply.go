package reference

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"petconform/spec"
)

const mediaJSON = "application/json"

func (b *behaviour) replyList(c *call) answer {
	return answer{http.StatusOK, mediaJSON, b.list(nil, c, c.pets)}
}

func (b *behaviour) replyCreated(c *call) answer {
	return answer{http.StatusCreated, mediaJSON, b.pet[spec.CreatePet](nil, b.created(c, c.pet))}
}

func (b *behaviour) replyFetched(c *call) answer {
	b.sunset(c)
	return answer{http.StatusOK, mediaJSON, b.pet[spec.GetPet](nil, c.pet)}
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
	return answer{r.status, mediaJSON, b.failure(nil, c, spec.Error{Code: r.code, Message: r.message, Status: r.status})}
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
func appendPet(dst []byte, p spec.Pet) []byte { return appendJSON(dst, p) }

func appendError(dst []byte, _ *call, e spec.Error) []byte { return appendJSON(dst, e) }

// appendJSON writes v, whose strings are UTF-8, and escapes only what JSON requires: < is no \u003c.
func appendJSON(dst []byte, v any) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a Pet and an Error have a form in JSON
	}
	return append(dst, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
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
