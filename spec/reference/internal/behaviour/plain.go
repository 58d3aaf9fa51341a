package behaviour

import (
	"crypto/sha256"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// Plain is the service without deviations and freedoms.
func Plain() *Behaviour {
	b := &Behaviour{
		byHash: map[[sha256.Size]byte]*Account{},

		Route: (*Call).route, Credential: bearerToken,

		plan:      func(p spec.Plan) spec.Plan { return p },
		Allowance: func(c *Call) *limiter.Allowance { return c.Account.Allowance },
		Anonymous: func(c *Call) limiter.Decision { return c.Service.Nobody.Look(c.Now) },

		MediaType: JSONOnly, ReadBody: boundedBody,
		Parse:  func(body []byte) (strictjson.Value, error) { return strictjson.Parse(body) },
		Member: strictjson.Value.Member, Doubled: strictjson.Value.Doubled,
		Name: readName, categoryID: readCategoryID, Status: readStatus,
		Missing: refuseMissing, CheckDraft: NothingToDo,
		keep:   func(_ *Call, p spec.NewPet) spec.NewPet { return p },
		Assign: func(_ *Call, _ spec.NewPet, n uint64) int64 { return store.Sequential(n) },

		Limit: readLimit, StatusFilter: ReadStatusFilter,

		parsePetID: ReadPetID, Sunset: announceRemoval,
		Load:    func(c *Call, id int64) (spec.Pet, bool) { return c.Service.Store.Get(id) },
		Removed: func(now time.Time) bool { return !now.Before(spec.Removal.AddDate(0, 0, 1)) },

		shown:  func(*Call, []spec.Pet) {},
		Orders: SomeOrders,

		Write: writeAnswer, seedPet: PlainSeed,
	}
	b.Authenticate, b.Admit, b.Rate = b.bearer, b.spend, b.plainRateHeaders()
	b.Understand = map[spec.Operation]Step{
		spec.ListPets: b.ReadFilter, spec.CreatePet: b.ReadNewPet, spec.GetPet: b.ReadPetID,
		spec.StoreOrders: NothingToDo, spec.Elsewhere: NothingToDo,
	}
	b.Act = map[spec.Operation]Step{
		spec.ListPets: b.listPets, spec.CreatePet: b.Create, spec.GetPet: b.GetPet,
		spec.StoreOrders: NothingToDo, spec.Elsewhere: refuseElsewhere,
	}
	b.Reply = map[spec.Operation]Handler{
		spec.ListPets: b.replyList, spec.CreatePet: b.replyCreated, spec.GetPet: b.replyFetched,
		spec.StoreOrders: func(c *Call) Answer { return b.Orders(c) },
	}
	b.Take = func(c *Call) limiter.Decision { return b.Allowance(c).Take(c.Now) }
	b.Add = func(c *Call, p spec.NewPet) spec.Pet {
		return c.Service.Store.Add(p, func(n uint64) int64 { return b.Assign(c, p, n) })
	}
	b.Find = func(c *Call, f Filter) []spec.Pet {
		return c.Service.Store.List(store.Query{Status: f.Status, Limit: f.Limit, Order: b.ListOrder})
	}
	return b
}

func NothingToDo(*Call) *Refusal { return nil }

// PlainSeed is the i-th animal of a new store.
func PlainSeed(i int) spec.NewPet {
	names := [...]string{"Ada", "Bruno", "Cleo", "Dodo", "Emil", "Fips", "Greta"}
	statuses := [...]spec.PetStatus{spec.Available, spec.Pending, spec.Sold, ""}
	return spec.NewPet{Name: names[i%len(names)], CategoryID: int64(i%5) + 1, Status: statuses[i%len(statuses)]}
}
