package plan

import (
	"slices"

	"petconform/spec"
	"petconform/spec/invalid"
)

// getChecks are the checks of getPet. What it has to return depends on the animals that the run knows; see package
// judge.
var getChecks = []Check{
	// A cache may keep the 404.
	{ID: "get-early", Title: "getPet of an animal that is yet to be created", Operation: spec.GetPet, Proves: "GET-3", In: Statuses,
		Needs: created, Rows: []Row{get("early", "{next}")}},
	{ID: "get-existing", Title: "getPet of animals that exist", Operation: spec.GetPet, Proves: "GET-1", Also: ids("CREATE-13"), In: Reads,
		Needs: []string{"create-statuses", "get-early"}, Rows: []Row{
			get("sold", "{create-statuses/sold}"),
			get("pending", "{create-statuses/pending}").with(okhttp...),
			get("marks", "{create-names/scripts-and-marks}"),
			get("beyond-2^53", "{create-category/beyond-2^53}").with(browser...),
			get("no-status", "{create-without-status/no-status}"),
			get("spaces", "{create-names/spaces}"),
			get("early", "{early}"),
			get("listed", "{listed}").with(rust...),
			get("sold, later", "{create-statuses/sold}").in(Keyless),
		}, More: eachCreated, Like: get("", "").full()},
	{ID: "get-unknown", Title: "404 for a petId that no animal has", Operation: spec.GetPet, Proves: "GET-3", In: Reads,
		Needs: created, Rows: append([]Row{
			// They turn into the id of an animal where a service cuts ids to 32 bits, or loses the sign.
			get("beyond-32-bits", "{beyond}").breaks("GET-3"),
			get("negative", "{negative}").breaks("GET-3"),
			get("neighbour", "{neighbour}"),                      // if ids lie beyond 2^53; one that exists is shown
			get("again", "{beyond}").in(Keyless).breaks("GET-3"), // a cache may answer now
			// A service that compares texts may find the animal by the first digits of its id.
			get("first-digits", "{digits}").full(),
		}, bounds()...)},
	{ID: "get-malformed", Title: "getPet with a petId that is not an int64", Operation: spec.GetPet, Proves: "GET-6", Also: ids("GET-2", "GET-8"), In: Opening,
		Needs: created, Rows: malformed()},
	{ID: "get-removed", Title: "getPet after its removal", Operation: spec.GetPet, Proves: "GET-5", In: Reads,
		Needs: created, Rows: []Row{get("removed", "{own}")}},
}

// created is what a check needs whose rows have ids that are made from those of the run's animals.
var created = []string{"create-statuses"}

// bounds are ids at the bounds of what services store. Few assign them, and one that exists is shown.
func bounds() (rows []Row) {
	for i, id := range invalid.UnknownIDs {
		r := get("bound "+id, id)
		r.Full = i > 0
		rows = append(rows, r)
	}
	return rows
}

func malformed() []Row {
	var rows []Row
	for i, id := range invalid.NoInt64 {
		r := get(id[:min(len(id), 12)], id).asks("GET-8", id[:min(len(id), 12)])
		r.Full = i >= invalid.NoInt64Quick
		rows = append(rows, r)
	}
	return append(rows, get("id-and-letter", "{own}x").asks("GET-8", "an id and a letter"))
}

// eachCreated asks for every animal of the run, in a full run.
func eachCreated(s *State) (rows []Row) {
	for _, c := range s.Created() {
		if id := c.Answered.ID; id != "" && !slices.ContainsFunc(rows, func(r Row) bool { return r.Path == "/pets/"+id }) {
			rows = append(rows, get(c.Exchange.Check+" "+c.Exchange.Step, id).full())
		}
	}
	return rows
}
