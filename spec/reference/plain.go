package reference

import (
	"crypto/sha256"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// plain is the service without deviations and freedoms.
func plain() *behaviour {
	b := &behaviour{
		byHash: map[[sha256.Size]byte]*account{},

		route: (*call).route, credential: bearerToken,

		plan:      func(p spec.Plan) spec.Plan { return p },
		allowance: func(c *call) *limiter.Allowance { return c.account.allowance },
		anonymous: func(c *call) limiter.Decision { return c.service.nobody.Look(c.now) },

		mediaType: jsonOnly, readBody: boundedBody,
		parse:  func(body []byte) (strictjson.Value, error) { return strictjson.Parse(body) },
		member: strictjson.Value.Member, doubled: strictjson.Value.Doubled,
		name: readName, categoryID: readCategoryID, status: readStatus,
		missing: refuseMissing, checkDraft: nothingToDo,
		keep:   func(_ *call, p spec.NewPet) spec.NewPet { return p },
		assign: func(_ *call, _ spec.NewPet, n uint64) int64 { return store.Sequential(n) },

		limit: readLimit, statusFilter: readStatusFilter,

		parsePetID: readPetID, sunset: announceRemoval,
		load:    func(c *call, id int64) (spec.Pet, bool, error) { return c.service.store.Get(id) },
		removed: func(now time.Time) bool { return !now.Before(spec.Removal.AddDate(0, 0, 1)) },

		shown:  func(*call, []spec.Pet) {},
		orders: someOrders,

		write: writeAnswer, seedPet: plainSeed,
	}
	b.authenticate, b.admit, b.rate = b.bearer, b.spend, b.plainRateHeaders()
	b.understand = map[spec.Operation]func(*call) *refusal{spec.ListPets: b.readFilter, spec.CreatePet: b.readNewPet, spec.GetPet: b.readPetID,
		spec.StoreOrders: nothingToDo, spec.Elsewhere: nothingToDo}
	b.act = map[spec.Operation]func(*call) *refusal{spec.ListPets: b.listPets, spec.CreatePet: b.create, spec.GetPet: b.getPet,
		spec.StoreOrders: nothingToDo, spec.Elsewhere: refuseElsewhere}
	b.reply = map[spec.Operation]func(*call) answer{spec.ListPets: b.replyList, spec.CreatePet: b.replyCreated, spec.GetPet: b.replyFetched,
		spec.StoreOrders: func(c *call) answer { return b.orders(c) }}
	b.take = func(c *call) limiter.Decision { return b.allowance(c).Take(c.now) }
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		return c.service.store.Add(p, func(n uint64) int64 { return b.assign(c, p, n) })
	}
	b.find = func(c *call, f filter) ([]spec.Pet, error) {
		return c.service.store.List(store.Query{Status: f.status, Limit: f.limit, Order: b.listOrder})
	}
	return b
}

func nothingToDo(*call) *refusal { return nil }

// plainSeed is the i-th animal of a new store.
func plainSeed(i int) spec.NewPet {
	names := [...]string{"Ada", "Bruno", "Cleo", "Dodo", "Emil", "Fips", "Greta"}
	statuses := [...]spec.PetStatus{spec.Available, spec.Pending, spec.Sold, ""}
	return spec.NewPet{Name: names[i%len(names)], CategoryID: int64(i%5) + 1, Status: statuses[i%len(statuses)]}
}
