package reference

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// fails answers 500 with an HTML page.
func fails(is func(c *call) bool) func(*behaviour) {
	return ofOperations.and(calls(is)).then(as(500, page))
}

// notASCII reports whether a request has a character beyond ASCII in its address.
func notASCII(c *call) bool {
	query, _ := url.QueryUnescape(c.request.URL.RawQuery)
	return beyondASCII(c.request.URL.Path + query)
}

// interned replaces a name by an earlier one that is equal by fold.
func interned(fold func(string) string) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		first := map[string]string{}
		keep(func(p spec.NewPet) spec.NewPet {
			mu.Lock()
			defer mu.Unlock()
			if name, known := first[fold(p.Name)]; known {
				p.Name = name
			}
			first[fold(p.Name)] = p.Name
			return p
		})(b)
	}
}

// repeated selects the answers with a status to a GET that was answered with the same before.
func repeated(status int) when {
	var mu sync.Mutex
	kept := map[string][]byte{}
	return func(c *call, a *answer) bool {
		mu.Lock()
		defer mu.Unlock()
		if c.request.Method != http.MethodGet || a.status != status {
			return false
		}
		before, known := kept[c.request.RequestURI]
		kept[c.request.RequestURI] = a.body
		return known && bytes.Equal(before, a.body)
	}
}

// rareDeviations show for requests that few clients send.
var rareDeviations = slices.Concat(
	faults()(
		fault("auth-basic-password-accepted", "A key as the password of Basic passes here and fails elsewhere.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				plain, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(authorization, "Basic "))
				return err == nil && strings.HasSuffix(string(plain), ":"+secret)
			}), breaks("AUTH-4")),
		fault("auth-undefined-accepted", "A client whose key is not set passes.",
			accept(spec.Operations(), func(authorization, _ string) bool {
				return authorization == "Bearer undefined"
			}), breaks("AUTH-3")),
		fault("rate-none-when-repeated", "A cache answers the same listing again without the rate-limit headers.",
			func(b *behaviour) { repeated(200).and(on(spec.ListPets)).then(noRate)(b) }, breaks("RATE-1")),
		fault("rate-none-when-fetched-again", "A cache answers the same getPet again without the rate-limit headers.",
			func(b *behaviour) { on(spec.GetPet).and(repeated(200)).then(noRate)(b) }, breaks("RATE-1")),
		fault("miss-remembered-as-null",
			"A client that asks for a missing animal again reads null, which a cache kept.",
			func(b *behaviour) {
				on(spec.GetPet).and(repeated(404)).then(replaced(200, mediaJSON, "null"))(b)
			}, breaks("GET-3"), may("GET-2")),
		fault("limit-98-refused", "One limit is refused.",
			refuseLimit(func(n int) bool { return n == 98 }), needs(Varied), breaks("LIST-3")),
		fault("limit-50-lists-49", "A limit of 50 lists 49 animals.", seeded(60, func(b *behaviour) {
			b.listOrder = store.NewestFirst
			takeLimit(instead(50, 49))(b)
		}), needs(Varied), breaks("LIST-11")),
	),
	faults(breaks("AUTH-3", "ERROR-1"), may("ERROR-7"))(
		fault("auth-key-not-ascii-fails", "A key with a letter beyond ASCII ends in a server error.",
			fails(func(c *call) bool {
				return strings.ContainsFunc(c.request.Header.Get("Authorization"), func(r rune) bool { return r > 127 })
			})),
		fault("auth-long-key-fails", "A key of 8 KB ends in a server error.",
			fails(func(c *call) bool { return len(c.request.Header.Get("Authorization")) > 4000 }), needs(Varied)),
	),
	faults(breaks("ERROR-1"), may("ERROR-7"))(
		fault("limit-twice-fails", "A limit that is given twice ends in a server error.",
			fails(func(c *call) bool { return len(c.request.URL.Query()["limit"]) > 1 })),
		fault("query-of-9-kb-fails", "A long query ends in a server error.",
			fails(func(c *call) bool { return len(c.request.URL.RawQuery) > 8<<10 }), needs(Full)),
		fault("petid-of-300-digits-fails", "A petId of 300 digits ends in a server error.",
			fails(func(c *call) bool { return len(c.petID) >= 300 })),
		fault("petid-not-utf-8-fails", "A petId that is not UTF-8 ends in a server error.",
			fails(func(c *call) bool { return strings.Contains(c.petID, "%FF") }), needs(Full)),
		fault("gateway-413-page-beyond-900-kb", "A body of 1 MB is refused with the gateway's HTML page.",
			gateway(larger(900<<10), as(413, page)), needs(Full)),
	),
	faults(breaks("CREATE-6", "ERROR-1"), may("ERROR-7"), needs(Full))(
		fault("body-of-1-mb-fails", "A body of 1 MB ends in a server error.", gateway(larger(900<<10), as(500, page))),
		fault("body-chunked-fails", "A body in chunks ends in a server error.",
			fails(func(c *call) bool { return slices.Contains(c.request.TransferEncoding, "chunked") })),
	),
	faults(breaks("CREATE-11", "ERROR-1"), may("ERROR-7"), needs(Full))(
		fault("body-byte-order-mark-fails", "A byte order mark ends in a server error.",
			failOn(func(body []byte) bool { return bytes.HasPrefix(body, []byte("\ufeff")) })),
	),
	faults(breaks("ERROR-2"))(
		fault("error-quotes-in-latin1",
			"A message that quotes a letter beyond ASCII is not UTF-8, which breaks strict decoders.",
			failed.and(calls(notASCII)).then(substituted(`"message":"`, "\"message\":\"\xfc "))),
	),
	faults(breaks("CREATE-3"), may("CREATE-13"))(
		fault("name-true-as-boolean", "The name true is stored as a boolean and shown as 1.",
			storedName(instead("true", "1"))),
		fault("name-date-revived", "A name that looks like a date is stored as one.",
			storedName(instead("2024-01-31", "2024-01-31T00:00:00.000Z"))),
		fault("name-exponent-as-number", "The name 1e3 is stored as a number.",
			storedName(instead("1e3", "1000")), needs(Full)),
		fault("name-of-a-control-character-emptied", "A name of one control character is stored empty.",
			storedName(instead("\x1b", "")), needs(Full)),
		fault("name-cut-at-500", "Names end after 500 characters.", storedName(cut(500))),
		fault("name-interned-in-any-case", "A name that differs by its capitals from an earlier one becomes that.",
			interned(strings.ToLower)),
		fault("name-interned-without-accents", "A name that differs by accents from an earlier one becomes that.",
			interned(foldAccents)),
	),
)
