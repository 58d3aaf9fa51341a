package reference

import (
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"petconform/spec"
)

// readPetID reads getPet's path parameter. The interface shows 401 and 404 for getPet and no 400, so a petId that is
// no int64 names no animal.
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
	if b.removed(c.now) {
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
	c.pet = b.fetched(c, pet)
	return nil
}

// deprecated is since when getPet is. The interface only says that it is; a fixed day, so that answers do not change.
var deprecated = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// The header values: a structured-field date (RFC 9745) and an HTTP date (RFC 8594), and where to go instead.
var (
	deprecationValue = "@" + strconv.FormatInt(deprecated.Unix(), 10)
	sunsetValue      = spec.Removal.Format(http.TimeFormat)
)

// announceRemoval tells whoever does not read the document.
func announceRemoval(c *call) {
	c.setHeader("Deprecation", deprecationValue)
	c.setHeader("Sunset", sunsetValue)
	c.setHeader("Link", `<`+c.service.config.BasePath+`/pets>; rel="successor-version"`)
}
