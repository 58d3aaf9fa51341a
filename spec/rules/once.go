package rules

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/history"
)

// createdOnce finds two animals in a listing that have the name of one createPet request. The run gives each of its
// animals a unique name. A name that was sent again, after a 429 or a lost connection, is left out.
func createdOnce(h *history.History) Whole {
	sent := map[string]int{}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet && x.SentName() != "" {
			sent[x.SentName()]++
		}
	}
	once, known := map[string]history.Creation{}, map[string]bool{}
	for _, c := range h.Created() {
		known[c.Answered.ID] = true
		if name := c.Sent.Name(); len(name) >= shortestOwnName && sent[name] == 1 && name == c.Answered.Name() && c.Exchange.Auth.Valid() {
			once[name] = c
		}
	}
	w := Whole{Of: len(once)}
	for _, x := range h.All {
		pets, _ := x.Pets()
		ids := map[string]string{}
		for _, p := range pets {
			before, again := ids[p.Name()]
			ids[p.Name()] = p.ID
			c, ours := once[p.Name()]
			if !again || !ours || before == p.ID || known[before] && known[p.ID] {
				continue // two created animals that share a name break another requirement
			}
			f := broken("CREATE-22", fmt.Sprintf("what the createPet of exchange %d created", c.Exchange.N), "one animal",
				fmt.Sprintf("animals %s and %s, both called %q", before, p.ID, clip(p.Name())))
			f.Exchange = x.N
			w.Broken = append(w.Broken, f)
			return w
		}
	}
	return w
}

// shortestOwnName is the length in bytes of the shortest name that is taken to be unique to the run.
const shortestOwnName = 16
