package reference

import (
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// turnDeviations show to one way of writing a key, an id, a name or a query. A standard run takes most of these ways in turn.
var turnDeviations = slices.Concat(
	table(Deviation{Breaks: ids("AUTH-3")}, []Deviation{
		{Name: "auth-key-end-not-compared", Needs: Varied, Suffers: "The last letter of a key is not compared.", apply: similar(func(secret, token string) bool {
			return len(token) == len(secret) && token[:len(token)-1] == secret[:len(secret)-1]
		})},
		{Name: "auth-key-quotes-removed", Needs: Varied, Suffers: "A key in quotation marks passes here and fails elsewhere.",
			apply: similar(func(secret, token string) bool { return strings.Trim(token, `"`) == secret })},
		{Name: "auth-key-up-to-comma", Needs: Varied, Suffers: "Only the text up to a comma is compared.", apply: similar(upTo(","))},
		{Name: "auth-key-up-to-space", Suffers: "Only the first word is compared.", apply: similar(upTo(" "))},
		{Name: "auth-key-with-more-accepted-on-create", Needs: Varied, Suffers: "createPet takes a key with text pasted behind it.",
			apply: accept([]spec.Operation{spec.CreatePet}, func(authorization, secret string) bool { return strings.HasPrefix(authorization, "Bearer "+secret) })},
		{Name: "auth-empty-key-accepted-on-get", Needs: Full, Suffers: "getPet takes a client without a configured key.", apply: accept(onGet, emptyKey)},
	}),
	table(Deviation{Breaks: ids("AUTH-4")}, []Deviation{
		{Name: "auth-cookie-accepted", Suffers: "A key in a cookie passes, so any page that a browser shows can act for its user.",
			apply: acceptToken(func(r *http.Request) string {
				cookie, err := r.Cookie("api_key")
				if err != nil {
					return ""
				}
				return cookie.Value
			})},
		{Name: "auth-longer-scheme-accepted", Needs: Varied, Suffers: "A scheme that begins like Bearer passes.", apply: accept(spec.Operations(), func(authorization, secret string) bool {
			return strings.HasPrefix(authorization, "Bearer") && strings.HasSuffix(authorization, " "+secret)
		})},
		{Name: "auth-plain-basic-accepted", Needs: Varied, Suffers: "A key under Basic passes here and fails elsewhere.",
			apply: accept(spec.Operations(), func(authorization, secret string) bool { return authorization == "Basic "+secret })},
		{Name: "auth-token-scheme-accepted", Suffers: "The scheme of another framework passes here and fails elsewhere.",
			apply: accept(spec.Operations(), func(authorization, secret string) bool { return authorization == "Token "+secret })},
	}),
	table(Deviation{Breaks: ids("GET-3"), May: ids("GET-2")}, []Deviation{
		{Name: "get-ids-beyond-32-bits-cut", Suffers: "An id that is too large by 2^32 finds an animal, among ids that are beyond 2^32 themselves.",
			apply: shiftIDs(1<<40, asked(func(id int64, refused *refusal) (int64, *refusal) { return 1<<40 + id&(1<<32-1), refused }))},
		{Name: "get-counts-from-the-end", Suffers: "The id -1 finds the newest animal, as a list of Python does.", apply: position(func(id int64, n int) int64 { return id + int64(n) })},
		{Name: "get-0-finds-the-newest", Suffers: "The id 0 finds the newest animal.", apply: position(func(id int64, n int) int64 {
			if id != 0 {
				n = 0
			}
			return int64(n) - 1
		})},
		{Name: "get-largest-id-finds-the-newest", Needs: Varied, Suffers: "The largest id finds the newest animal, as a limit would.", apply: position(func(id int64, n int) int64 {
			if id != math.MaxInt64 {
				n = 0
			}
			return int64(n) - 1
		})},
	}),
	table(Deviation{Breaks: ids("GET-1"), May: ids("CREATE-13")}, []Deviation{
		{Name: "get-pending-hidden", Suffers: "A pending animal cannot be fetched.", apply: fetched(func(c *call) bool { return c.pet.Status == spec.Pending }, withStatus(http.StatusNotFound))},
	}),
	table(Deviation{Breaks: ids("LIST-6"), May: ids("LIST-8")}, []Deviation{
		{Name: "filter-escaped-refused", Suffers: "A filter with an escaped letter is refused, which some clients send.",
			apply: refuseFilter(http.StatusBadRequest, func(c *call) bool { return strings.Contains(c.request.URL.RawQuery, "%") })},
		{Name: "filter-without-result-404", Needs: Animals, Suffers: "A filter that finds nothing looks like a wrong address, in a store with other animals.",
			apply: func(b *behaviour) {
				populated(10, func(i int) spec.NewPet {
					return spec.NewPet{Name: plainSeed(i).Name, CategoryID: 1, Status: spec.Available}
				})(b)
				emptyList.and(filtered).then(withStatus(http.StatusNotFound))(b)
			}},
	}),
	table(Deviation{Breaks: ids("LIST-3"), May: ids("LIST-6")}, []Deviation{
		{Name: "limit-beyond-49-refused", Suffers: "A limit from 50 to 99 is refused.", apply: refuseLimit(func(n int) bool { return n >= 50 && n < spec.MaxLimit })},
		{Name: "limit-below-10-refused", Needs: Varied, Suffers: "A limit from 2 to 9 is refused.", apply: refuseLimit(func(n int) bool { return n > spec.MinLimit && n < 10 })},
	}),
	table(Deviation{Breaks: ids("LIST-11"), May: ids("LIST-8")}, []Deviation{
		{Name: "limit-below-100-lists-20", Needs: Varied, Suffers: "A limit from 21 to 99 lists 20 animals.", apply: func(b *behaviour) {
			b.listOrder = store.NewestFirst
			takeLimit(func(n int) int {
				if n < spec.MaxLimit {
					n = min(n, spec.DefaultLimit)
				}
				return n
			})(b)
		}},
	}),
	table(Deviation{Breaks: ids("CREATE-3"), May: ids("CREATE-13")}, []Deviation{
		{Name: "name-variation-selectors-removed", Suffers: "A coloured symbol in a name becomes a plain one.",
			apply: stored(named(func(name string) string { return strings.ReplaceAll(name, "\ufe0f", "") }))},
		{Name: "name-leading-zeros-lost", Suffers: "A name of digits is stored as a number.", apply: stored(named(func(name string) string { return leadingZeros.ReplaceAllString(name, "$1") }))},
	}),
	table(Deviation{Breaks: ids("CREATE-10")}, []Deviation{
		{Name: "status-member-of-object-accepted", Suffers: "constructor is accepted as a status, since every object of JavaScript has it.", apply: laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
			return spec.Available, v.Kind == strictjson.String && v.Text == "constructor"
		})},
		{Name: "status-line-break-accepted", Needs: Varied, Suffers: "A line break behind a status is ignored.",
			apply: laxStatus(statusText(func(s string) string { return strings.TrimSuffix(s, "\n") }))},
		{Name: "status-adopted-accepted", Needs: Varied, Suffers: "A status of an older release is taken for sold.",
			apply: laxStatus(statusText(func(s string) string { return strings.Replace(s, "adopted", string(spec.Sold), 1) }))},
	}),
	table(Deviation{Breaks: ids("CREATE-11"), Needs: Varied}, []Deviation{
		{Name: "body-tab-accepted", Suffers: "A tab in a text need not be escaped.", apply: repair(func(body []byte) []byte { return []byte(strings.ReplaceAll(string(body), "\t", " ")) })},
	}),
)

var leadingZeros = regexp.MustCompile(`^0+(\d+)$`)

func upTo(mark string) func(secret, token string) bool {
	return func(secret, token string) bool {
		first, _, _ := strings.Cut(token, mark)
		return first == secret
	}
}

// position finds an animal by its place among the animals where no animal has the id.
func position(of func(id int64, n int) int64) func(*behaviour) {
	return refetch(func(c *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) {
		all, err := c.service.store.List(store.Query{})
		if i := of(id, len(all)); !found && err == nil && i >= 0 && i < int64(len(all)) {
			return all[i], true
		}
		return pet, found
	})
}
