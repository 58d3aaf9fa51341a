package clients

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

const (
	// hammering is the number of refused requests in a row, each before the time in Retry-After, that breaks CLIENT-6.
	hammering = 5
	// wrongKeys is the number of 401s in a row that breaks CLIENT-6. The tests of a client may send a few wrong keys.
	wrongKeys = 10
)

func (s *story) noHammering(*history.History) (w rules.Whole) {
	w.Of = count(s.calls, func(x history.Exchange) bool { return isRefusal(x) || keyRefused(x) })
	for _, g := range s.groups {
		isEarly := callsOf(g.early)
		var row []history.Exchange
		end := func() {
			w.Broken, row = append(w.Broken, hammered(row, hammering, "each before the time in Retry-After")...), nil
		}
		for _, x := range g.calls {
			switch {
			case isEarly[x.N] && x.Limited():
				row = append(row, x)
			case !x.Limited() || waited(row, x):
				end()
			}
		}
		end()
	}
	w.Broken = append(w.Broken, s.wrongKeys()...)
	return w
}

func keyRefused(x history.Exchange) bool { return x.Status() == http.StatusUnauthorized && given(x) }

// wrongKeys finds clients that go on with a key that the service refuses. Another call of the same client ends a row.
func (s *story) wrongKeys() (all []verdict.Finding) {
	rows := map[string][]history.Exchange{}
	end := func(client string) {
		all = append(all, hammered(rows[client], wrongKeys, "each with a key that the service refuses")...)
		rows[client] = nil
	}
	for _, x := range s.calls {
		client := x.Caller.Host + " " + x.Request.Header.Get("User-Agent")
		if keyRefused(x) {
			rows[client] = append(rows[client], x)
		} else {
			end(client)
		}
	}
	for _, client := range slices.Sorted(maps.Keys(rows)) {
		end(client)
	}
	return all
}

// waited reports whether a refused request that was not too early came long after the row before it, so that it does
// not count against its client. Others may have been in flight.
func waited(row []history.Exchange, x history.Exchange) bool {
	if len(row) == 0 {
		return false
	}
	r, _ := refusalOf(row[len(row)-1])
	return !x.Sent.Before(r.at.Add(r.asked / 2))
}

// hammered returns the finding about a row of refused requests, if it has as many as most.
func hammered(row []history.Exchange, most int, how string) []verdict.Finding {
	if len(row) < most {
		return nil
	}
	took := row[len(row)-1].Sent.Sub(row[0].Sent)
	return []verdict.Finding{finding("CLIENT-6", row[0], "requests while the key is refused",
		fmt.Sprintf("a pause; a service may ban the key after %d or fewer", most),
		fmt.Sprintf("%s in %s, all refused, %s", spec.Count(len(row), "request"), seconds(took), how))}
}
