package deviations

import (
	"cmp"
	"encoding/base64"
	"regexp"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

const authorization = "Authorization"

// accept takes a request without a valid key as one with a key, if the pattern matches its whole Authorization header.
// In the pattern, KEY stands for the key, HALF for its first half, and REST for all but its last character. What is
// sent with Basic is matched decoded, too.
func accept(on When, pattern string) Change {
	return Before(func(c *Call) {
		if Keyed(c) || !on(c) {
			return
		}
		sent := c.Request.Header.Get(authorization)
		plain, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(sent, "Basic "))
		for _, a := range c.Service.Accounts {
			parts := strings.NewReplacer("KEY", regexp.QuoteMeta(a.Secret),
				"HALF", regexp.QuoteMeta(a.Secret[:len(a.Secret)/2]), "REST", regexp.QuoteMeta(a.Secret[:len(a.Secret)-1]))
			accepted := regexp.MustCompile(`^(?s:` + parts.Replace(pattern) + `)$`)
			if accepted.MatchString(sent) || accepted.MatchString("Basic "+string(plain)) {
				c.Request.Header.Set(authorization, "Bearer "+a.Secret)
			}
		}
	})
}

func (t *table) accepted(name, broken, pattern string) {
	t.fault(name, broken, accept(OfOperations, pattern))
}

// acceptedOnEach accepts a credential for all operations together, and for each one alone.
func (t *table) acceptedOnEach(name, broken, pattern string) {
	t.onEach(name+"-on-", broken, spec.Operations(), func(on When) Change { return accept(on, pattern) })
	t.accepted(name, broken, pattern)
}

func keyRows(t *table) {
	t.acceptedOnEach("auth-no-key-accepted", "AUTH-2", "")
	t.acceptedOnEach("auth-any-key-accepted", "AUTH-3", "Bearer .*")
	t.acceptedOnEach("auth-bare-key-accepted", "AUTH-4", "KEY")
	t.accepted("auth-basic-accepted", "AUTH-4", "Basic KEY:.*")
	t.accepted("auth-any-scheme-accepted", "AUTH-4", `[^ ]+ KEY`)
	t.accepted("auth-glued-scheme-accepted", "AUTH-4 full", "BearerKEY")
	t.accepted("auth-key-prefix-accepted", "AUTH-3", "Bearer HALF.*")
	t.accepted("auth-key-contained", "AUTH-3", "Bearer .*KEY.*")
	t.accepted("auth-key-any-case", "AUTH-3", "Bearer (?i:KEY)")
	t.accepted("auth-key-end-not-compared", "AUTH-3 full", "Bearer REST.")
	t.fault("auth-key-not-ascii-fails", "AUTH-3 ERROR-1 ERROR-7?", fails(OfOperations.And(HeaderLike(authorization, foreign))))
	t.fault("auth-long-key-fails", "AUTH-3 ERROR-1 ERROR-7? full",
		fails(OfOperations.And(func(c *Call) bool { return len(c.Request.Header.Get(authorization)) > 4000 })))
}

// The 401s of requests without a credential and with another scheme than Bearer.
var (
	noCredential = Failed.Of(401).And(HeaderLike(authorization, "^( |$)"))
	wrongScheme  = Failed.Of(401).And(HeaderLike(authorization, "^[^ ]"), HeaderLike(authorization, "^Bearer( |$)").Not())
)

// before401 reads a call that is about to be answered 401. What read refuses is answered instead.
func before401(on When, read Step) Change {
	return on.Of(401).Then(func(c *Call, a *Answer) {
		if refused := read(c); refused != nil {
			*a = c.Service.Refuse(c, refused)
		}
	})
}

func readFilter(c *Call) *Refusal { return c.Service.ReadFilter(c) }

func readStatusFilter(c *Call) *Refusal {
	c.SetQuery("limit", "1")
	return c.Service.ReadFilter(c)
}

func lookUp(c *Call) *Refusal {
	defer c.Service.InTurn()()
	return cmp.Or(c.Service.ReadPetID(c), c.Service.GetPet(c))
}

// createAnyway creates the animal of a request that is refused for another reason than its body.
func createAnyway(c *Call, _ *Answer) {
	if c.Service.ReadNewPet(c) == nil {
		defer c.Service.InTurn()()
		c.Pet = c.Service.Add(c, c.Draft.NewPet)
	}
}

// sharedCache answers the calls of an operation that carry no valid key from a cache that the calls with one fill, as
// a proxy does that leaves Authorization out of its key. It shows that a run reads with the key first.
func sharedCache(on When) Change {
	var cached sync.Map
	return on.Then(func(c *Call, a *Answer) {
		address := c.Request.URL.RequestURI()
		if body, hit := cached.Load(address); hit && a.Status == 401 {
			Replaced(200, MediaJSON, body.(string))(c, a)
		} else if a.Status == 200 {
			cached.Store(address, string(a.Body))
		}
	})
}

func authRows(t *table) {
	t.fault("auth-no-key-403", "AUTH-2", noCredential.Then(WithStatus(403)))
	t.fault("auth-wrong-scheme-400", "AUTH-4", wrongScheme.Then(WithStatus(400)))
	t.fault("auth-orders-hidden", "AUTH-2 AUTH-3 AUTH-4", On(spec.StoreOrders).Of(401).Then(WithStatus(404)))
	t.fault("auth-after-media-type", "AUTH-5", before401(OnCreate, JSONOnly))
	t.fault("auth-after-parameters", "AUTH-5", before401(OnList, readFilter))
	t.fault("auth-after-status-filter", "AUTH-5", before401(OnList, readStatusFilter))
	t.fault("auth-after-lookup", "AUTH-5 AUTH-2? AUTH-3? AUTH-4?", before401(OnGet, lookUp))
	t.fault("auth-401-creates", "AUTH-6", OnCreate.Of(401).Then(createAnyway))
	t.fault("auth-fetched-animal-cached-for-anyone", "AUTH-2 AUTH-3? AUTH-4?", sharedCache(OnGet))
	t.fault("auth-listing-cached-for-anyone", "AUTH-2 AUTH-3? AUTH-4?", sharedCache(OnList))
	t.fault("auth-valid-key-refused-now-and-then", "AUTH-1", OfOperations.And(Every(9)).Refuse(401))
	t.fault("auth-valid-key-refused-with-filter", "AUTH-1 LIST-6? LIST-8?", Filtered.Refuse(401))
}
