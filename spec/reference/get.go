package reference

import (
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"petconform/spec"
)

// readPetID reads getPet's path parameter. A petId that is not an int64 is answered 404, because the interface shows no 400
// for getPet.
func (b *behaviour) readPetID(c *call) (refused *refusal) {
	raw, err := url.PathUnescape(c.petID)
	if err != nil {
		raw = c.petID
	}
	c.id, refused = b.parsePetID(raw)
	return refused
}

func readPetID(raw string) (int64, *refusal) {
	id, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return 0, notFound("There is no such animal: a petId is an int64.")
	}
	return id, nil
}

// getPet finds the animal.
func (b *behaviour) getPet(c *call) *refusal {
	day := c.now
	if asOf := c.service.asOf; !asOf.IsZero() {
		day = asOf
	}
	if b.removed(day) {
		return &refusal{status: http.StatusGone, code: "removed", message: "This operation was removed on 5 December 2030. List animals instead."}
	}
	pet, found, err := b.load(c, c.id)
	if err != nil {
		c.service.complain(c, "the animal could not be read", slog.Any("error", err))
		return internal()
	}
	if !found {
		return notFound("There is no animal with the id %d.", c.id)
	}
	c.pet = pet
	return nil
}

// deprecated is the day of getPet's deprecation. The interface names none, so any past day will do.
var deprecated = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// The values of the headers Deprecation (RFC 9745) and Sunset (RFC 8594).
var (
	deprecationValue = "@" + strconv.FormatInt(deprecated.Unix(), 10)
	sunsetValue      = spec.Removal.Format(http.TimeFormat)
)

// announceRemoval sets the headers of the deprecation and of the operation that replaces getPet.
func announceRemoval(c *call) {
	c.setHeader("Deprecation", deprecationValue)
	c.setHeader("Sunset", sunsetValue)
	c.setHeader("Link", `<`+c.service.basePath+`/pets>; rel="successor-version"`)
}
