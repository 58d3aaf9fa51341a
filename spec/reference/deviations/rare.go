package deviations

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// fails answers 500 with an HTML page.
func fails(is func(c *Call) bool) Change {
	return OfOperations.And(Calls(is)).Then(as(500, page))
}

// notASCII reports whether a request has a character beyond ASCII in its address.
func notASCII(c *Call) bool {
	query, _ := url.QueryUnescape(c.Request.URL.RawQuery)
	return beyondASCII(c.Request.URL.Path + query)
}

// interned replaces a name by an earlier one that is equal by fold.
func interned(fold func(string) string) Change {
	return func(b *Behaviour) {
		first := map[string]string{}
		Keep(func(p spec.NewPet) spec.NewPet {
			if name, known := first[fold(p.Name)]; known {
				p.Name = name
			}
			first[fold(p.Name)] = p.Name
			return p
		})(b)
	}
}

// repeated selects the answers with a status to a GET that was answered with the same before.
func repeated(status int) When {
	key := new(byte)
	return func(c *Call, a *Answer) bool {
		if c.Request.Method != http.MethodGet || a.Status != status {
			return false
		}
		before, known := Kept[sync.Map](c.Service, key).Swap(c.Request.RequestURI, a.Body)
		return known && bytes.Equal(before.([]byte), a.Body)
	}
}

// clientRows refuse what widespread clients send: a charset, and another Accept.
var clientRows = slices.Concat(
	faults(breaks("CREATE-1"))(
		fault("create-charset-415", RefuseDraft(415, func(c *Call) bool {
			return strings.Contains(c.Request.Header.Get("Content-Type"), "charset")
		})),
		fault("create-accept-406", RefuseDraft(406, notAccepting)),
	),
	faults(breaks("LIST-3"), may("LIST-1", "LIST-5", "LIST-6", "LIST-8"))(
		fault("list-accept-406", Lists.And(Calls(notAccepting)).Then(WithStatus(406))),
	),
)

func notAccepting(c *Call) bool { return c.Request.Header.Get("Accept") != MediaJSON }

// rareRows show for requests that few clients send.
var rareRows = slices.Concat(
	faults()(
		fault("auth-undefined-accepted", accept(spec.Operations(), func(authorization, _ string) bool {
			return authorization == "Bearer undefined"
		}), breaks("AUTH-3")),
		fault("rate-none-when-repeated", On(spec.ListPets).And(repeated(200)).Then(noRate), breaks("RATE-1")),
		fault("rate-none-when-fetched-again", On(spec.GetPet).And(repeated(200)).Then(noRate), breaks("RATE-1")),
		fault("miss-remembered-as-null",
			On(spec.GetPet).And(repeated(404)).Then(Replaced(200, MediaJSON, "null")), breaks("GET-3"), may("GET-2")),
		fault("limit-98-refused", refuseLimit(func(n int) bool { return n == 98 }), needs(Full), breaks("LIST-3")),
		fault("limit-50-lists-49", seeded(60, func(b *Behaviour) {
			b.ListOrder = store.NewestFirst
			takeLimit(Instead(50, 49))(b)
		}), needs(Full), breaks("LIST-11")),
	),
	faults(breaks("AUTH-3", "ERROR-1"), may("ERROR-7"))(
		fault("auth-key-not-ascii-fails", fails(func(c *Call) bool {
			return strings.ContainsFunc(c.Request.Header.Get("Authorization"), func(r rune) bool { return r > 127 })
		})),
		fault("auth-long-key-fails",
			fails(func(c *Call) bool { return len(c.Request.Header.Get("Authorization")) > 4000 }), needs(Full)),
	),
	faults(breaks("ERROR-1"), may("ERROR-7"))(
		fault("limit-twice-fails", fails(func(c *Call) bool { return len(c.Request.URL.Query()["limit"]) > 1 })),
		fault("query-of-9-kb-fails",
			fails(func(c *Call) bool { return len(c.Request.URL.RawQuery) > 8<<10 }), needs(Full)),
		fault("petid-of-300-digits-fails", fails(func(c *Call) bool { return len(c.PetID) >= 300 })),
		fault("petid-not-utf-8-fails",
			fails(func(c *Call) bool { return strings.Contains(c.PetID, "%FF") }), needs(Full)),
		fault("gateway-413-page-beyond-900-kb", gateway(larger(900<<10), as(413, page)), needs(Full)),
	),
	faults(breaks("CREATE-6", "ERROR-1"), may("ERROR-7"), needs(Full))(
		fault("body-of-1-mb-fails", gateway(larger(900<<10), as(500, page))),
	),
	faults(breaks("CREATE-1", "ERROR-1"), may("CREATE-6", "ERROR-7"))(
		fault("body-chunked-fails",
			fails(func(c *Call) bool { return slices.Contains(c.Request.TransferEncoding, "chunked") })),
	),
	faults(needs(Full))(
		fault("auth-after-limit-is-read", before401(spec.ListPets, func(_ *Behaviour, c *Call) *Refusal {
			if _, err := strconv.Atoi(cmp.Or(c.Request.URL.Query().Get("limit"), "0")); err != nil {
				return Refused(400, "limit_invalid", "limit is an integer.")
			}
			return nil
		}), breaks("AUTH-5")),
		fault("limit-defaults-to-12-by-one-replica", seeded(36, func(b *Behaviour) {
			var lists atomic.Int64
			limitAsRead(func(n int, given bool) (int, *Refusal) {
				if !given && lists.Add(1)%3 == 0 {
					n = 12
				}
				return n, nil
			})(b)
		}), breaks("LIST-5"), may("LIST-8", "LIST-11")),
	),
	faults(needs(Full))(
		fault("get-forgets-ids-that-end-in-7",
			Refetch(func(_ *Call, pet spec.Pet, found bool) (spec.Pet, bool) { return pet, found && pet.ID%10 != 7 }),
			breaks("GET-1"), may("CREATE-13", "GET-2")),
	),
	faults(breaks("CREATE-11", "ERROR-1"), may("ERROR-7"), needs(Full))(
		fault("body-byte-order-mark-fails",
			failOn(func(body []byte) bool { return bytes.HasPrefix(body, []byte("\ufeff")) })),
	),
	faults(breaks("ERROR-2"))(
		fault("error-quotes-in-latin1",
			Failed.And(Calls(notASCII)).Then(Substituted(`"message":"`, "\"message\":\"\xfc "))),
	),
	faults(breaks("CREATE-3"), may("CREATE-13"))(
		fault("name-true-as-boolean", StoredName(Instead("true", "1"))),
		fault("name-date-revived", StoredName(Instead("2024-01-31", "2024-01-31T00:00:00.000Z"))),
		fault("name-exponent-as-number", StoredName(Instead("1e3", "1000")), needs(Full)),
		fault("name-of-a-control-character-emptied", StoredName(Instead("\x1b", "")), needs(Full)),
		fault("name-interned-in-any-case", interned(strings.ToLower)),
		fault("name-interned-without-accents", interned(FoldAccents)),
	),
)
