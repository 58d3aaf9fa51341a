package model_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/model"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

const patience = 3 * time.Second

var start = time.Date(2030, time.January, 2, 3, 4, 5, 0, time.UTC)

type steps []exchange.Exchange

// story is a history of requests that were sent one second after the other.
func story(all steps) *history.History {
	rec := &exchange.Recording{Meta: exchange.Meta{Patience: patience}, End: &exchange.End{}}
	for i, x := range all {
		x.N, x.Step, x.Sent, x.Done = i+1, fmt.Sprint("step ", i+1), start.Add(time.Duration(i)*time.Second), time.Millisecond
		if x.Auth = exchange.Key; x.Status() == http.StatusUnauthorized {
			x.Auth = exchange.NoKey
		}
		x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
		rec.Exchanges = append(rec.Exchanges, x)
	}
	return history.Of(rec)
}

// pet is an animal as a response shows it: {7, "Rex"}.
type pet struct {
	id   int
	name string
}

func pets(all ...pet) exchange.Body {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = fmt.Sprintf(`{"id":%d,"name":%q,"categoryId":1,"status":"sold"}`, p.id, p.name)
	}
	return exchange.Body(strings.Join(texts, ","))
}

func sent(method, path string, body exchange.Body, status int, answer exchange.Body) exchange.Exchange {
	return exchange.Exchange{Request: exchange.Request{Method: method, Path: path, Body: body}, Response: &exchange.Response{Status: status, Body: answer}}
}

func create(id int) exchange.Exchange {
	p := pets(pet{id, fmt.Sprint("petconform-r-of-", id)})
	return sent("POST", "/pets", p, http.StatusCreated, p)
}

// refuse is a createPet that is refused, with a name or with a body without one.
func refuse(status int, name string) exchange.Exchange {
	if name == "" {
		return sent("POST", "/pets", exchange.Body(`{"categoryId":1}`), status, nil)
	}
	return sent("POST", "/pets", exchange.Body(`{"name":"`+name+`"}`), status, nil)
}

func lose(name string) exchange.Exchange {
	x := sent("POST", "/pets", pets(pet{1, name}), 0, nil)
	x.Response, x.Failure = nil, &exchange.Failure{Kind: exchange.Timeout}
	return x
}

func list(query string, all ...pet) exchange.Exchange {
	return sent("GET", "/pets"+query, nil, http.StatusOK, slices.Concat(exchange.Body("["), pets(all...), exchange.Body("]")))
}

// withNext is a page that names a next one.
func withNext(x exchange.Exchange) exchange.Exchange {
	x.Response.Header = http.Header{"Link": {`</v1/pets?page=2>; rel="next"`}}
	return x
}

func fetch(id int, found ...pet) exchange.Exchange {
	status := http.StatusNotFound
	if len(found) > 0 {
		status = http.StatusOK
	}
	return sent("GET", fmt.Sprint("/pets/", id), nil, status, pets(found...))
}

func large(query string, n int) exchange.Exchange {
	return list(query, slices.Repeat([]pet{{1, "Rex"}}, n)...)
}

func TestLeftBehind(t *testing.T) {
	const own = "petconform-r-lost"
	for name, row := range map[string]struct {
		sent steps
		want string // the requirement, and the request that left the animal
	}{
		"the name of a refused request, in a listing": {steps{create(5), refuse(400, own), list("", pet{9, own}), list("", pet{9, own})}, "CREATE-12 of 2"},
		"the name of a refused request, by getPet":    {steps{create(5), refuse(400, own), fetch(6, pet{6, own})}, "CREATE-12 of 2"},
		"the name of a request without a key":         {steps{create(5), refuse(401, own), list("", pet{6, own})}, "AUTH-6 of 2"},
		"a name in a body that is not JSON":           {steps{create(5), sent("POST", "/pets", exchange.Body(`{"name":"`+own+`",`), 400, nil), list("", pet{6, own})}, "CREATE-12 of 2"},
		"a name that a 500 left":                      {steps{create(5), refuse(500, own), list("", pet{6, own})}, ""},
		"a name that another request was sent with":   {steps{create(5), refuse(400, own), lose(own), list("", pet{6, own})}, ""},
		"a name that was there before the request":    {steps{create(5), list("", pet{6, own}), refuse(400, own)}, ""},
		"an animal of the run that changed its name":  {steps{create(5), refuse(400, own), list("", pet{5, own}), fetch(5, pet{8, own})}, ""},

		"no name, and an id between those of the run":    {steps{create(5), refuse(400, ""), create(7), fetch(6, pet{6, "null"})}, "CREATE-12 of 2"},
		"no name, where ids count down":                  {steps{create(7), refuse(400, ""), create(5), list("", pet{6, ""})}, "CREATE-12 of 2"},
		"no name, and no body without one was refused":   {steps{create(5), create(7), refuse(400, own), refuse(401, ""), list("", pet{6, ""})}, ""},
		"no name, and an id beyond those of the run":     {steps{create(5), create(7), refuse(400, ""), list("", pet{4, ""}, pet{8, "42"})}, ""},
		"no name, and ids that lie far apart":            {steps{create(5), create(700), refuse(400, ""), list("", pet{6, ""})}, ""},
		"no name, and ids that do not count":             {steps{create(9), create(5), create(7), refuse(400, ""), list("", pet{6, ""})}, ""},
		"no name, in a store that was empty":             {steps{list(""), refuse(400, ""), list("", pet{900, ""})}, "CREATE-12 of 2"},
		"no name, where the first page was empty":        {steps{withNext(list("")), refuse(400, ""), list("", pet{900, ""})}, ""},
		"no name, as a creation without a response sent": {steps{create(5), create(7), refuse(400, ""), lose(""), list("", pet{6, ""})}, ""},
	} {
		var got []string
		for _, f := range model.Of(story(row.sent)).LeftBehind() {
			got = append(got, fmt.Sprintf("%s of %d", f.Requirement, f.Cases[0].After[0]))
		}
		if text := strings.Join(got, ", "); text != row.want {
			t.Errorf("%s: want %q, got %q", name, row.want, text)
		}
	}
}

// What no listing has room to show is asked for by its id: between the run's own animals and the next two after them.
func TestUnlisted(t *testing.T) {
	for name, row := range map[string]struct {
		sent steps
		want string
	}{
		"a listing shows the whole store":        {steps{create(101), create(103), large("", 19)}, ""},
		"a full page":                            {steps{create(101), create(103), create(106), large("", 20)}, "102 104 105 107 108"},
		"a store of 100":                         {steps{create(101), create(103), large("?limit=100", 100)}, "102 104 105"},
		"a full page has all animals of the run": {steps{create(101), create(103), list("?limit=2", pet{101, ""}, pet{103, ""})}, ""},
		"a full page lacks one of them":          {steps{create(101), create(103), list("?limit=2", pet{101, ""}, pet{1, ""})}, "102 104 105"},
		"a listing of one status":                {steps{create(101), create(103), list("?status=sold")}, "102 104 105"},
		"a listing before the last creation":     {steps{create(101), large("", 3), create(103)}, "102 104 105"},
		"one that another client took":           {steps{create(101), create(103), fetch(102, pet{102, "Rex"})}, "102 104 105"},
		"more ids than may be asked for":         {steps{create(101), create(107)}, ""},
		"ids that lie far apart":                 {steps{create(101), create(102), create(900)}, ""},
		"ids that count down":                    {steps{create(103), create(101)}, ""},
		"ids of 0 and below":                     {steps{create(-5), create(-3)}, ""},
		"no animal":                              {nil, ""},
	} {
		if got := strings.Join(model.Of(story(row.sent)).Unlisted(5), " "); got != row.want {
			t.Errorf("%s: want %q, got %q", name, row.want, got)
		}
	}
}

// The run says how it looked for what refused requests may have left, or why it could not.
func TestSearched(t *testing.T) {
	some := func(more ...exchange.Exchange) steps {
		return append(steps{create(101), create(103), refuse(400, "")}, more...)
	}
	for name, row := range map[string]struct {
		sent    steps
		how     string
		because string
	}{
		"nothing was refused":                 {steps{create(101)}, "", "no createPet was refused"},
		"a listing of the whole store":        {some(large("", 4)), "1 refused request, none of their names in a listing of the whole store", ""},
		"a listing that came before":          {steps{create(101), large("", 3), refuse(400, "")}, "", "no listing has room"},
		"more was refused after it":           {some(large("", 4), refuse(400, ""), large("", 20)), "1 refused request, none of their names in a listing", ""},
		"a store of 100":                      {some(large("?limit=100", 100)), "", "no listing has room"},
		"a listing of each status":            {some(list("?status=sold"), list("?status=pending"), list("?status=available")), "in the listings of each status", ""},
		"listings of two statuses":            {some(list("?status=sold"), list("?status=pending")), "", "no listing has room"},
		"getPet of each id next to the run's": {some(large("", 20), fetch(102), fetch(104), fetch(105)), "one of the 3 ids next to", ""},
		"getPet before the last was refused":  {steps{create(101), fetch(102), fetch(103), refuse(400, "")}, "", "no listing has room"},
		"ids that do not count up":            {steps{create(104), create(101), refuse(400, ""), fetch(102), fetch(103)}, "", "do not count up"},
	} {
		how, because := model.Of(story(row.sent)).Searched()
		if !strings.Contains(how, row.how) || !strings.Contains(because, row.because) || (how == "") != (row.how == "") || (because == "") != (row.because == "") {
			t.Errorf("%s: want %q or %q, got %q or %q", name, row.how, row.because, how, because)
		}
	}
}

// Another client may delete its animal, and a lagging replica may show that animal a little later.
func TestAnimalsOfOthersMayBeDeleted(t *testing.T) {
	with, without := list("?limit=100", pet{9, "Rex"}), list("?limit=100")
	for name, row := range map[string]struct {
		sent steps
		want int
	}{
		"shown again before a lag ends": {steps{with, with, with, with, without, with, with}, 0},
		"shown again after any lag":     {steps{with, with, with, with, without, with, with, with, with}, 1},
		"new, where it is missing":      {steps{with, without, with, with, with, with, with, with}, 0},
		"never shown again":             {steps{with, with, with, with, without, without}, 0},
	} {
		if got := model.Of(story(row.sent)).Missing(); len(got) != row.want {
			t.Errorf("%s: want %d findings, got %v", name, row.want, got)
		}
	}
}
