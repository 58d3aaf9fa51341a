package behaviour

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"petconform/spec"
	"petconform/spec/strictjson"
)

const (
	MediaJSON = "application/json"
	// The names of the headers in the form of net/http.
	LimitHeader      = "X-Ratelimit-Limit"
	RemainingHeader  = "X-Ratelimit-Remaining"
	ResetHeader      = "X-Ratelimit-Reset"
	RetryAfterHeader = "Retry-After"
)

// someOrders answers GET /store/orders. The interface shows only that it exists.
const someOrders = `[{"id":1,"petId":1,"status":"placed"},{"id":2,"petId":2,"status":"delivered"}]`

func (b *Behaviour) reply(c *Call) Answer {
	a := Answer{http.StatusOK, MediaJSON, []byte(someOrders)}
	switch c.Operation {
	case spec.ListPets:
		a.Body = JSON(c.Pets)
	case spec.CreatePet:
		a.Status, a.Body = http.StatusCreated, JSON(c.Pet)
	case spec.GetPet:
		announceRemoval(c)
		a.Body = JSON(c.Pet)
	}
	return b.finish(c, a)
}

// Refuse writes a refusal as an Error, with the headers of its status.
func (b *Behaviour) Refuse(c *Call, r *Refusal) Answer {
	c.Refused = r
	if r.Status == http.StatusUnauthorized {
		c.SetHeader("Www-Authenticate", `Bearer realm="pet adoption"`)
	}
	if c.Operation == spec.GetPet && c.Account != nil {
		announceRemoval(c)
	}
	return b.finish(c, Answer{r.Status, MediaJSON, errorJSON(r)})
}

// finish sets the headers that every answer has.
func (b *Behaviour) finish(c *Call, a Answer) Answer {
	if c.Decision == (Decision{}) {
		c.Decision = b.Nobody.Look(c.Now)
	}
	c.SetHeader(LimitHeader, Whole(c.Decision.Limit))
	c.SetHeader(RemainingHeader, Whole(c.Decision.Remaining))
	c.SetHeader(ResetHeader, Whole(UnixUp(c.Decision.Reset)))
	if a.Status == http.StatusTooManyRequests {
		c.SetHeader(RetryAfterHeader, Whole(SecondsUp(c.Decision.RetryAfter)))
	}
	return a
}

// UnixUp and SecondsUp round up: a client that waits for a time rounded down comes too early.
func UnixUp(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

func SecondsUp(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// The values of the headers Deprecation (RFC 9745) and Sunset (RFC 8594). The interface names no day from which getPet
// is deprecated, so any past day will do.
var (
	DeprecationValue = "@" + Whole(time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC).Unix())
	SunsetValue      = spec.Removal.Format(http.TimeFormat)
)

// announceRemoval sets the headers of the deprecation and of the operation that replaces getPet.
func announceRemoval(c *Call) {
	c.SetHeader("Deprecation", DeprecationValue)
	c.SetHeader("Sunset", SunsetValue)
	c.SetHeader("Link", `<`+BasePath+`/pets>; rel="successor-version"`)
}

// JSON writes an animal, several of them, or an Error. Of a name that is not UTF-8 it writes U+FFFD.
func JSON(v any) []byte {
	out, _ := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	return out
}

// PetPath is where the animal of a call can be read.
func (c *Call) PetPath() string { return BasePath + "/pets/" + Whole(c.Pet.ID) }

func errorJSON(r *Refusal) []byte {
	return JSON(spec.Error{Code: r.Code, Message: r.Message, Status: r.Status})
}

// Quoted writes a JSON string.
func Quoted(s string) string { return string(strictjson.AppendString(nil, s)) }

func Whole(n int64) string { return strconv.FormatInt(n, 10) }

// writeAnswer sends an answer with its Content-Length.
func writeAnswer(c *Call, a Answer) {
	if a.Status != http.StatusNoContent {
		c.Header["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	}
	writeHead(c, a)
	if a.Status != http.StatusNoContent {
		// The error means that the client has gone away.
		_, _ = c.Writer.Write(a.Body)
	}
}

// WriteHalf sends an answer up to the middle of its body, and returns the rest.
func WriteHalf(c *Call, a Answer) (rest []byte) {
	writeHead(c, a)
	half := len(a.Body) / 2
	_, _ = c.Writer.Write(a.Body[:half])
	_ = http.NewResponseController(c.Writer).Flush() // net/http drops the rest when a handler aborts
	return a.Body[half:]
}

func writeHead(c *Call, a Answer) {
	c.Header["Content-Type"] = nil // without an entry net/http would guess the media type
	c.SetHeader("Content-Type", a.MediaType)
	c.Writer.WriteHeader(a.Status)
}
