package run

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
)

// execution is a sequence that is being sent, with what its requests refer to: its animals and its listings.
type execution struct {
	*plan.State
	number, place      int
	names, bodies, ids []string // of the animals that it created
	limit, shown       int      // of its last listing without a filter
}

// ownName replaces a row's own name, which is that of another animal when it is sent again.
var ownName = strings.NewReplacer("%n", `"{name}"`, "petconform-%r", "{name}")

// execute sends requests one after the other and returns their exchanges. label names the execution in the recording. It
// creates no animal on purpose when only so many creations are left.
func (e *exploration) execute(ctx context.Context, label string, all []plan.Request, aside int) (own []history.Exchange) {
	x := &execution{State: e.state(), number: int(e.executions.Add(1)), limit: spec.DefaultLimit, shown: 1}
	x.Word = x.word
	for i, q := range all {
		x.place = i + 1
		row := q.Row
		row.Body = ownName.Replace(row.Body)
		row.Step = fmt.Sprintf("%s/%d %s/%s", label, x.place, q.Check, q.Step)
		if row.Creates() && e.budget.left() <= aside {
			continue
		}
		if e.spent.Add(1); e.left() < 0 || e.narrow() != "" {
			break
		}
		got, sent := e.ask(ctx, x.State, judge.ExploreID, row)
		if !sent {
			e.spent.Add(-1)
			continue
		}
		own = append(own, got)
		x.note(got)
	}
	return own
}

// word is what a word of a drawn row stands for. A number is a place among the animals of the sequence, from the last one.
func (x *execution) word(word string) (value string, is bool) {
	name, number, _ := strings.Cut(word, "-")
	n, _ := strconv.Atoi(number)
	switch name {
	case "name":
		return fmt.Sprintf("petconform-%s-x%04d.%02d", x.Meta.Run, x.number, x.place), true
	case "named":
		return last(x.names, n), true
	case "made":
		return last(x.bodies, n), true
	case "mine":
		return last(x.ids, n), true
	case "coming":
		return x.coming(int64(n)), true
	case "limit":
		return strconv.Itoa(x.limit), true
	case "shown":
		return strconv.Itoa(min(max(x.shown, spec.MinLimit), spec.MaxLimit)), true
	}
	return "", false
}

// last returns the element n before the last one; "" if there is none.
func last(all []string, n int) string {
	if n >= len(all) {
		return ""
	}
	return all[len(all)-1-n]
}

// coming is an id that an animal gets after the last one of the sequence, where ids count up.
func (x *execution) coming(n int64) string {
	id, err := strconv.ParseInt(last(x.ids, 0), 10, 64)
	if err != nil || id > 1<<62 {
		return ""
	}
	return strconv.FormatInt(id+1+n, 10)
}

// note keeps what later requests refer to.
func (x *execution) note(got history.Exchange) {
	if p, created := got.Pet(); created && got.Operation == spec.CreatePet {
		name, _ := json.Marshal(got.SentName()) // a string always marshals
		x.names, x.bodies = append(x.names, string(name)), append(x.bodies, string(got.Request.Body))
		if p.ID != "" {
			x.ids = append(x.ids, p.ID)
		}
	}
	if limit, status, plain := got.Listing(); plain && status == "" && got.Len() >= 0 {
		x.limit, x.shown = limit, got.Len()
	}
}
