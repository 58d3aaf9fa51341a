package behaviour

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"petconform/spec"
)

// ReadPetID reads getPet's path parameter. A petId that is not an int64 is answered 404, because the interface shows
// no 400 for getPet.
func (b *Behaviour) ReadPetID(c *Call) (refused *Refusal) {
	raw, err := url.PathUnescape(c.PetID)
	if err != nil {
		raw = c.PetID
	}
	c.ID, refused = b.parsePetID(raw)
	return refused
}

func ReadPetID(raw string) (int64, *Refusal) {
	id, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return 0, NotFound("There is no such animal: a petId is an int64.")
	}
	return id, nil
}

// GetPet finds the animal.
func (b *Behaviour) GetPet(c *Call) *Refusal {
	day := c.Now
	if asOf := c.Service.AsOf; !asOf.IsZero() {
		day = asOf
	}
	if b.Removed(day) {
		return Refused(http.StatusGone, "removed", "This operation was removed on 5 December 2030. List animals instead.")
	}
	pet, found := b.Load(c, c.ID)
	if !found {
		return NotFound("There is no animal with the id %d.", c.ID)
	}
	c.Pet = pet
	return nil
}

// deprecated is the day of getPet's deprecation. The interface names none, so any past day will do.
var deprecated = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// The values of the headers Deprecation (RFC 9745) and Sunset (RFC 8594).
var (
	DeprecationValue = "@" + strconv.FormatInt(deprecated.Unix(), 10)
	SunsetValue      = spec.Removal.Format(http.TimeFormat)
)

// announceRemoval sets the headers of the deprecation and of the operation that replaces getPet.
func announceRemoval(c *Call) {
	c.SetHeader("Deprecation", DeprecationValue)
	c.SetHeader("Sunset", SunsetValue)
	c.SetHeader("Link", `<`+c.Service.BasePath+`/pets>; rel="successor-version"`)
}
