package reference

import (
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// plain is the service without deviations and freedoms.
func plain(cfg Config) *behaviour {
	b := &behaviour{
		order:      map[spec.Operation][]step{},
		understand: map[spec.Operation]func(*call) *refusal{},
		act:        map[spec.Operation]func(*call) *refusal{},
		reply:      map[spec.Operation]func(*call) answer{},
		pet:        map[spec.Operation]func(spec.Pet) []field{},
		route:      (*call).route,
		maxBody:    cfg.MaxBody,
		seed:       cfg.Seed,
		seedPet:    plainSeed,
		write:      writeAnswer,
	}
	for _, op := range append(spec.Operations(), spec.Elsewhere) {
		b.order[op] = usual()
		b.understand[op], b.act[op] = nothingToDo, nothingToDo
		b.pet[op] = petFields
	}
	b.plainAuthentication()
	b.plainAllowance(cfg)
	b.plainCreate()
	b.plainList()
	b.plainGet()
	b.plainReplies()
	return b
}

func nothingToDo(*call) *refusal { return nil }

func (b *behaviour) plainAuthentication() {
	b.authenticate = b.bearer
	b.credential = bearerToken
	b.account = (*Service).accountOf
}

func (b *behaviour) plainAllowance(cfg Config) {
	b.admit = b.spend
	b.plan = func(p spec.Plan) spec.Plan { return p }
	b.options = limiter.Options{Kind: cfg.Limiter, Minute: cfg.Minute, Day: cfg.Day}
	b.allowance = func(c *call) *limiter.Allowance { return c.account.allowance }
	b.take = func(c *call) limiter.Decision { return b.allowance(c).Take(c.now) }
	b.anonymous = func(c *call) limiter.Decision { return c.service.nobody.Look(c.now) }
	b.rate = b.plainRateHeaders()
}

func (b *behaviour) plainCreate() {
	b.understand[spec.CreatePet] = b.readNewPet
	b.act[spec.CreatePet] = b.create
	b.mediaType = jsonOnly
	b.readBody = boundedBody
	b.parse = func(body []byte) (strictjson.Value, error) { return strictjson.Parse(body) }
	b.member = strictjson.Value.Member
	b.doubled = strictjson.Value.Doubled
	b.name, b.categoryID, b.status = readName, readCategoryID, readStatus
	b.missing = refuseMissing
	b.checkDraft = nothingToDo
	b.keep = func(_ *call, p spec.NewPet) spec.NewPet { return p }
	b.assign = func(_ *call, _ spec.NewPet, n uint64) int64 { return store.Sequential(n) }
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		return c.service.store.Add(p, func(n uint64) int64 { return b.assign(c, p, n) })
	}
}

func (b *behaviour) plainList() {
	b.understand[spec.ListPets] = b.readFilter
	b.act[spec.ListPets] = b.listPets
	b.limit = readLimit
	b.statusFilter = readStatusFilter
	b.find = func(c *call, f filter) ([]spec.Pet, error) {
		return c.service.store.List(store.Query{Status: f.status, Limit: f.limit, Order: b.listOrder})
	}
}

func (b *behaviour) plainGet() {
	b.understand[spec.GetPet] = b.readPetID
	b.act[spec.GetPet] = b.getPet
	b.parsePetID = readPetID
	b.load = func(c *call, id int64) (spec.Pet, bool, error) { return c.service.store.Get(id) }
	b.sunset = announceRemoval
	b.removed = func(now time.Time) bool { return !now.Before(spec.Removal.AddDate(0, 0, 1)) }
}

func (b *behaviour) plainReplies() {
	b.listed = func(_ *call, pets []spec.Pet) []spec.Pet { return pets }
	b.created = func(_ *call, p spec.Pet) spec.Pet { return p }
	b.fetched = b.created
	b.list = b.array
	b.errors = errorFields
	b.failure = func(c *call, e spec.Error) []byte { return encode(b.errors(c, e)) }
	b.orders = someOrders
	b.reply[spec.ListPets] = b.replyList
	b.reply[spec.CreatePet] = b.replyCreated
	b.reply[spec.GetPet] = b.replyFetched
	b.reply[spec.StoreOrders] = func(c *call) answer { return b.orders(c) }
	b.act[spec.Elsewhere] = refuseElsewhere
}

// plainSeed is the i-th animal of a new store.
func plainSeed(i int) spec.NewPet {
	names := [...]string{"Ada", "Bruno", "Cleo", "Dodo", "Emil", "Fips", "Greta"}
	statuses := [...]spec.PetStatus{spec.Available, spec.Pending, spec.Sold, ""}
	return spec.NewPet{Name: names[i%len(names)], CategoryID: int64(i%5) + 1, Status: statuses[i%len(statuses)]}
}
