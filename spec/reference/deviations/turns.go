package deviations

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// turnRows show to one way of writing a key, an id, a name or a query. A standard run takes most of these ways in turn.
var turnRows = slices.Concat(
	faults(breaks("AUTH-3"))(
		fault("auth-key-end-not-compared", similar(func(secret, token string) bool {
			return len(token) == len(secret) && token[:len(token)-1] == secret[:len(secret)-1]
		}), needs(Full)),
		fault("auth-key-quotes-removed",
			similar(func(secret, token string) bool { return strings.Trim(token, `"`) == secret }), needs(Full)),
		fault("auth-key-with-more-accepted-on-create",
			accept([]spec.Operation{spec.CreatePet}, func(authorization, secret string) bool {
				return strings.HasPrefix(authorization, "Bearer "+secret)
			}), needs(Full)),
		fault("auth-empty-key-accepted-on-get", accept(OnGet, emptyKey), needs(Full)),
	),
	faults(breaks("AUTH-4"))(
		fault("auth-plain-basic-accepted", accept(spec.Operations(), func(authorization, secret string) bool {
			return authorization == "Basic "+secret
		}), needs(Full)),
	),
	faults(breaks("GET-3"), may("GET-2"))(
		fault("get-counts-from-the-end", position(func(id int64, n int) int64 { return id + int64(n) })),
		fault("get-largest-id-finds-the-newest", position(func(id int64, n int) int64 {
			if id != math.MaxInt64 {
				n = 0
			}
			return int64(n) - 1
		}), needs(Full)),
	),
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-pending-hidden",
			fetched(func(c *Call) bool { return c.Pet.Status == spec.Pending }, WithStatus(404))),
	),
	faults(breaks("LIST-6"), may("LIST-8"))(
		fault("filter-without-result-404",
			func(b *Behaviour) {
				Populated(10, func(i int) spec.NewPet {
					return spec.NewPet{Name: PlainSeed(i).Name, CategoryID: 1, Status: spec.Available}
				})(b)
				EmptyList.And(Filtered).Then(WithStatus(404))(b)
			}, needs(Animals)),
	),
	faults(breaks("LIST-3"), may("LIST-6"))(
		fault("limit-beyond-49-refused", refuseLimit(func(n int) bool { return n >= 50 && n < spec.MaxLimit })),
		fault("limit-below-10-refused",
			refuseLimit(func(n int) bool { return n > spec.MinLimit && n < 10 }), needs(Full)),
	),
	faults(breaks("LIST-11"), may("LIST-8"))(
		fault("limit-below-100-lists-20", func(b *Behaviour) {
			b.ListOrder = store.NewestFirst
			takeLimit(func(n int) int {
				if n < spec.MaxLimit {
					n = min(n, spec.DefaultLimit)
				}
				return n
			})(b)
		}, needs(Full)),
	),
	faults(breaks("CREATE-3"), may("CREATE-13"))(
		fault("name-variation-selectors-removed", StoredName(replacing("\ufe0f", ""))),
		fault("name-leading-zeros-lost",
			StoredName(func(name string) string { return leadingZeros.ReplaceAllString(name, "$1") })),
	),
	faults(breaks("CREATE-10"))(
		fault("status-line-break-accepted",
			laxStatus(statusText(func(s string) string { return strings.TrimSuffix(s, "\n") })), needs(Full)),
		fault("status-adopted-accepted",
			laxStatus(statusText(func(s string) string { return strings.Replace(s, "adopted", string(spec.Sold), 1) })),
			needs(Full)),
	),
	faults(breaks("CREATE-11"), needs(Full))(
		fault("body-tab-accepted",
			Repair(func(body []byte) []byte { return []byte(strings.ReplaceAll(string(body), "\t", " ")) })),
	),
)

var leadingZeros = regexp.MustCompile(`^0+(\d+)$`)

// position finds an animal by its place among the animals where no animal has the id.
func position(of func(id int64, n int) int64) Change {
	return Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
		all := c.Service.Store.List(store.Query{})
		if i := of(c.ID, len(all)); !found && i >= 0 && i < int64(len(all)) {
			return all[i], true
		}
		return pet, found
	})
}
