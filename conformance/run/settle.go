package run

import (
	"context"
	"slices"
	"time"

	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
)

const (
	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
	// agreeing is how often each read has to lack nothing, if the budget lasts: five reads in turn reach each of five
	// replicas.
	agreeing = 5
	// lastLooks is how often each read is sent after the patience, until it lacks something.
	lastLooks = 10
	// leastAsked is how many requests a run may spend on what disagrees before the patience is over, however many the
	// plan has sent. After the patience a quick run may spend three times as many, and a full one up to eight times.
	leastAsked = 15
)

// settle asks again what disagrees with the model of the store, among h.All[from:]: of each kind of read one that lacked
// an animal, in the very form that it had. It asks with growing pauses, until none lacks anything, or until what they
// lack is older than the patience: then a lagging replica is no explanation. Where it was a lag, each read that lacked
// something is sent once more, as far as the budget lasts.
func (r *Run) settle(ctx context.Context, from int) {
	room := r.left(r.state(), plan.Opening)
	l, most := &looking{Run: r, left: max(room+plan.QuickWhenLagging-plan.QuickRequests, leastAsked), looks: lastLooks}, 3*leastAsked
	if r.full() {
		room = max(room, leastAsked)
		l.left, l.looks, most = min(room/2, 4*leastAsked), 3*lastLooks, min(room/2, 8*leastAsked)
	}
	asks, newest := r.disagreeing(from)
	var lagged []plan.Request
	for _, lack := range r.lacks(from) {
		if q := sameAs(lack.Read); !slices.ContainsFunc(lagged, func(p plan.Request) bool { return p.Name() == q.Name() }) {
			lagged = append(lagged, q)
		}
	}
	for pause := firstPause; len(asks) > 0; pause *= 3 {
		left := r.Patience - r.at(time.Now()).Sub(newest)
		late := pause >= longestPause || left <= pause || l.left <= 0
		if late {
			pause = max(0, left) + time.Millisecond
		}
		if pause >= longestPause/2 {
			r.progress(Event{Waiting: "a response lacks a new animal; a replica may lag", Wait: pause})
		}
		if spec.Sleep(ctx, pause) != nil {
			return
		}
		if late {
			l.left = most
			l.last(ctx, asks)
			return
		}
		sent := len(r.History().All)
		if !l.lacking(ctx, asks) {
			asks, newest = r.disagreeing(sent)
		}
	}
	for _, q := range lagged {
		l.look(ctx, q)
	}
}

func (r *Run) lacks(from int) (all []model.Lack) {
	h := r.History()
	store := model.Trusting(h)
	for _, x := range h.All[from:] {
		all = append(all, store.Lacks(x)...)
	}
	return all
}

// looking sends reads again, within a budget of requests.
type looking struct {
	*Run
	left  int
	looks int // after the patience
	n     int // numbers them
}

// look sends a read once more, and reports whether it lacks an animal.
func (l *looking) look(ctx context.Context, q plan.Request) (lacks, sent bool) {
	if l.left <= 0 {
		return false, false
	}
	l.n, l.left = l.n+1, l.left-1
	q.Step = plan.Again(q.Step, l.n)
	x, sent := l.ask(ctx, l.state(), q.Check, q.Row)
	return sent && len(model.Trusting(l.History()).Lacks(x)) > 0, sent
}

// lacking sends each read several times, and reports whether one lacks something. It ends with the first that does.
func (l *looking) lacking(ctx context.Context, asks []plan.Request) bool {
	for range agreeing {
		for _, q := range asks {
			if lacks, sent := l.look(ctx, q); lacks || !sent {
				return lacks
			}
		}
	}
	return false
}

// last sends each read until it has lacked something, at most l.looks times, and then all of them once more: if one
// shows the animal that another one lacked, nobody deleted it. An animal of the run itself is deleted by nobody. One of
// another client that a read lacks may be shown by a lagging replica until the patience has passed since.
func (l *looking) last(ctx context.Context, asks []plan.Request) {
	all, from := asks, len(l.History().All)
	for range l.looks {
		asks = slices.DeleteFunc(slices.Clone(asks), func(q plan.Request) bool {
			lacks, _ := l.look(ctx, q)
			return lacks
		})
	}
	ours, lacks, wait := map[int]bool{}, l.lacks(from), time.Duration(0)
	for _, k := range lacks {
		ours[k.Read.N] = ours[k.Read.N] || k.Ours
	}
	for _, k := range lacks {
		if !ours[k.Read.N] {
			wait = max(wait, l.Patience-l.at(time.Now()).Sub(k.Read.Ended())+time.Millisecond)
		}
	}
	if spec.Sleep(ctx, wait) != nil {
		return
	}
	l.left = len(all)
	for _, q := range all {
		l.look(ctx, q)
	}
}

// disagreeing returns a read of each kind that lacks an animal, among h.All[from:]: the one that lacks the
// oldest. It adds getPet of these animals, and a listing of all: are they not shown, or not kept? newest is when the
// newest animal that is lacking was shown.
func (r *Run) disagreeing(from int) (asks []plan.Request, newest time.Time) {
	worst := map[model.Kind]model.Lack{}
	for _, l := range r.lacks(from) {
		if l.Since.After(newest) {
			newest = l.Since
		}
		kind := model.KindOf(l.Read)
		if w, known := worst[kind]; !known || l.Age() > w.Age() {
			worst[kind] = l
		}
	}
	var ids []string
	for _, kind := range []model.Kind{model.WithLimit, model.WithoutLimit, model.Filtered, model.Fetch} {
		l, lacks := worst[kind]
		if lacks && kind != model.Fetch {
			asks = append(asks, sameAs(l.Read))
		}
		if lacks && !slices.Contains(ids, l.ID) {
			ids = append(ids, l.ID)
		}
	}
	for _, id := range ids {
		asks = append(asks, plan.Animal(id))
	}
	if _, limited := worst[model.WithLimit]; len(asks) > 0 && !limited {
		asks = append(asks, plan.WholeStore)
	}
	return asks, newest
}

// sameAs is the row of a read, with the values that it had.
func sameAs(x history.Exchange) plan.Request {
	row, _ := plan.RowOf(x.Check, x.Step)
	row.Step, row.Path = plan.Asked(x.Step), x.Request.Path
	return plan.Request{Check: x.Check, Row: row}
}
