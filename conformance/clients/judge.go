// Package clients judges the clients of the interface. A Watcher is a handler in front of the reference service. It
// records each request as the service saw it, without its key. Judge is a pure function of that recording: what the
// interface asks of clients, the requirements CLIENT-1 and following of the ledger, is told like the requirements of a
// service.
//
// A service cannot see everything of a client. Where a lawful client may have sent what is in the recording, Judge
// accuses nobody: the requirement is inconclusive, or the request is left out.
package clients

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Settings are the inputs of the judge in addition to the exchanges. They are in exchange.Meta.Settings.
type Settings struct {
	// Clients is 1 if the user said that one client uses a key; 0 is unknown.
	Clients int `json:"clients,omitempty"`
}

// Judge returns the results of a client run, from its recording. It returns an error if the recording is not one of a
// client run.
func Judge(rec *exchange.Recording) (verdict.Results, error) {
	r := verdict.Of(rec.Meta, rec.End)
	all := make([]history.Exchange, len(rec.Exchanges)) // without what responses show
	for i, x := range rec.Exchanges {
		if x.Caller == nil {
			return r, fmt.Errorf("exchange %d says nothing of its client: the recording is not of a client run", x.N)
		}
		all[i].Exchange = x
	}
	r.Kind, r.Target.Reference, r.Requests = verdict.ClientKind, true, len(all)
	r.Checks, _ = rules.Judge(Rules(), history.From(rec.Meta, rec.End, all))
	r.Requirements = verdict.Requirements(spec.TheLedger().Clients, r.Checks, r.AsOf)
	why := incomplete(rec)
	if slices.ContainsFunc(all, creates) && !slices.ContainsFunc(all, isWhole) {
		why = append(why, noWholeBody) // what the client sent is not known
	}
	for _, q := range r.Requirements {
		if r.Strict && q.Verdict == verdict.NotRun {
			why = append(why, fmt.Sprintf("the client did not meet %s, as --strict requires: %s", q.ID, q.Reason))
		}
	}
	r.Conclude(verdict.Validity{Incomplete: why})
	return r, nil
}

// incomplete says why a run has no verdict, if it has none.
func incomplete(rec *exchange.Recording) (why []string) {
	keyed := func(x exchange.Exchange) bool { return x.Named() && x.Caller.Key != "" }
	if len(rec.Exchanges) == 0 {
		why = append(why, "no client sent a request")
	} else if !slices.ContainsFunc(rec.Exchanges, keyed) {
		why = append(why, "no request called an operation with a key of this service; give the client one of those that "+
			"petconform client prints")
	}
	if rec.End == nil || rec.Torn {
		why = append(why, "the recording has no end: the run was killed")
	} else if rec.End.Stopped != "" {
		why = append(why, "the run ended early: "+rec.End.Stopped)
	}
	return why
}
