package cause

import (
	"slices"
	"testing"

	"petconform/spec"
	"petconform/spec/verdict"
)

// at is a case of a finding: an operation, the status that was wanted and the one that came (0 where the finding is about something
// else), and an exchange.
func at(o spec.Operation, wanted, came, exchange int) verdict.Case {
	c := verdict.Case{Operation: o, Status: came, Exchanges: []int{exchange}}
	if wanted > 0 {
		c.Wanted = []int{wanted}
	}
	return c
}

// showing sets the Actual of a case.
func showing(actual string, c verdict.Case) verdict.Case {
	c.Actual = actual
	return c
}

// expecting sets the Expected of a check's finding.
func expecting(expected string, c verdict.Check) verdict.Check {
	c.Findings[0].Expected = expected
	return c
}

// resting names the exchanges that a case rests on.
func resting(c verdict.Case, on ...int) verdict.Case {
	c.After = on
	return c
}

// titled gives the finding of a check a title of its own.
func titled(title string, c verdict.Check) verdict.Check {
	c.Findings[0].Title = title
	return c
}

// nowAndThen says that the finding of a check shows on some requests only.
func nowAndThen(c verdict.Check) verdict.Check {
	c.Findings[0].Often = "1 of 11 requests"
	return c
}

// holding says on how many exchanges a rule holds.
func holding(n int, c verdict.Check) verdict.Check {
	c.Held = n
	return c
}

func failed(id string, kind verdict.CheckKind, requirement spec.ID, cases ...verdict.Case) verdict.Check {
	f := verdict.Finding{Requirement: requirement, Cases: cases}
	if len(cases) > 0 {
		f.Exchange = cases[0].Exchanges[0]
	}
	return verdict.Check{ID: id, Kind: kind, Verdict: verdict.Failed, Requirements: []spec.ID{requirement}, Findings: []verdict.Finding{f}}
}

func unsure(id string, o spec.Operation, because ...spec.ID) verdict.Check {
	return verdict.Check{ID: id, Operation: o, Verdict: verdict.Inconclusive, Because: because}
}

func resultsOf(checks ...verdict.Check) verdict.Results {
	res := verdict.Results{Checks: checks}
	for _, r := range spec.TheLedger().Requirements {
		res.Requirements = append(res.Requirements, verdict.Requirement{ID: r.ID, Level: r.Level})
	}
	return res
}

const (
	check = verdict.Active
	rule  = verdict.Passive
)

type told struct {
	title        string
	requirements []spec.ID
}

var together = map[string]struct {
	checks []verdict.Check
	want   []told
}{
	"a wrong status on all operations": {
		[]verdict.Check{
			failed("auth-missing-list", check, "AUTH-2", at(spec.ListPets, 401, 403, 1)),
			failed("auth-missing-get", check, "AUTH-2", at(spec.GetPet, 401, 403, 2)),
			failed("auth-scheme-get", check, "AUTH-4", at(spec.GetPet, 401, 403, 3))},
		[]told{{"403 instead of 401", []spec.ID{"AUTH-2", "AUTH-4"}}}},
	"a key that is not checked, with a 404 where there is no animal": {
		[]verdict.Check{
			failed("auth-missing-list", check, "AUTH-2", at(spec.ListPets, 401, 200, 1)),
			failed("auth-missing-get", check, "AUTH-2", at(spec.GetPet, 401, 404, 2))},
		[]told{{"The API key is not checked", []spec.ID{"AUTH-2"}}}},
	"a key that is checked on one operation, and refused with 403 on another": {
		[]verdict.Check{
			failed("auth-missing-list", check, "AUTH-2", at(spec.ListPets, 401, 200, 1)),
			failed("auth-missing-get", check, "AUTH-2", at(spec.GetPet, 401, 403, 2))},
		[]told{{"listPets does not check the API key", []spec.ID{"AUTH-2"}}, {"403 instead of 401 from getPet without a key", []spec.ID{"AUTH-2"}}}},
	"an operation that is missing, where other credentials are served": {
		[]verdict.Check{
			failed("auth-missing-orders", check, "AUTH-2", at(spec.StoreOrders, 401, 404, 1)),
			failed("auth-invalid-orders", check, "AUTH-3", at(spec.StoreOrders, 401, 404, 2)),
			failed("auth-invalid-list", check, "AUTH-3", at(spec.ListPets, 401, 200, 3)),
			failed("auth-invalid-get", check, "AUTH-3", at(spec.GetPet, 401, 404, 4))},
		[]told{{"404 instead of 401 from storeOrders", []spec.ID{"AUTH-2", "AUTH-3"}}, {"Requests without the right key are served", []spec.ID{"AUTH-3"}}}},
	"a credential that is served, and createPet that crashes now and then": {
		[]verdict.Check{
			nowAndThen(failed("create-open", check, "CREATE-1", at(spec.CreatePet, 201, 500, 1))),
			failed("auth-invalid-list", check, "AUTH-3", at(spec.ListPets, 401, 200, 2)),
			nowAndThen(failed("auth-invalid-create", check, "AUTH-3", at(spec.CreatePet, 401, 500, 3)))},
		[]told{{"Requests without the right key are served", []spec.ID{"AUTH-3"}}, {"500 instead of 201 from createPet for a valid NewPet, sometimes", []spec.ID{"CREATE-1"}}}},
	"generated sequences show one of two faults of a store": {
		[]verdict.Check{
			failed("list-limit-default", check, "LIST-5", at(spec.ListPets, 0, 200, 1)),
			nowAndThen(failed("get-existing", check, "GET-1", at(spec.GetPet, 200, 404, 2))),
			failed("explore", check, "GET-1", at(spec.GetPet, 0, 404, 3))},
		[]told{{"404 instead of 200 from getPet for an animal that exists, sometimes", []spec.ID{"GET-1"}}, {"Without a limit, the limit is not 20", []spec.ID{"LIST-5"}}}},
	"a framework's 422": {
		[]verdict.Check{
			failed("create-name-missing", check, "CREATE-6", at(spec.CreatePet, 400, 422, 1)),
			failed("create-body-invalid", check, "CREATE-11", at(spec.CreatePet, 400, 422, 2))},
		[]told{{"422 instead of 400 from createPet", []spec.ID{"CREATE-6", "CREATE-11"}}}},
	"some bodies are accepted, and one ends in a server error": {
		[]verdict.Check{
			failed("create-name-invalid", check, "CREATE-8", at(spec.CreatePet, 400, 201, 1), at(spec.CreatePet, 400, 500, 2))},
		[]told{{"createPet accepts bodies that it has to refuse", []spec.ID{"CREATE-8"}}, {"500 instead of 400 from createPet for a name that is not a string", []spec.ID{"CREATE-8"}}}},
	"an accepted name shows in the 201 and in listings": {
		[]verdict.Check{
			failed("create-name-invalid", check, "CREATE-8", at(spec.CreatePet, 400, 201, 1)),
			failed("pet-schema", rule, "PET-2", showing("42", at(spec.CreatePet, 0, 201, 1)), showing("42", at(spec.ListPets, 0, 200, 9)))},
		[]told{{"createPet accepts bodies that it has to refuse", []spec.ID{"CREATE-8", "PET-2"}}}},
	"a status of other creations does not follow from an accepted one": {
		[]verdict.Check{
			failed("create-status-invalid", check, "CREATE-10", at(spec.CreatePet, 400, 201, 1)),
			failed("pet-schema", rule, "PET-4", showing("unheard-of", at(spec.CreatePet, 0, 201, 1)), showing("null", at(spec.CreatePet, 0, 201, 2)))},
		[]told{{"createPet accepts bodies that it has to refuse", []spec.ID{"CREATE-10", "PET-4"}},
			{"The status of a Pet is none of available, pending and sold", []spec.ID{"PET-4"}}}},
	"a limit that is not read": {
		[]verdict.Check{
			failed("limit-kept", rule, "LIST-4", at(spec.ListPets, 0, 200, 1)),
			failed("default-limit-kept", rule, "LIST-5", at(spec.ListPets, 0, 200, 2))},
		[]told{{"A listing has more animals than its limit", []spec.ID{"LIST-4", "LIST-5"}}}},
	"limits and filters are refused alike, and a plain listing is not": {
		[]verdict.Check{
			failed("list-limit-bounds", check, "LIST-3", at(spec.ListPets, 200, 500, 1)),
			failed("list-status-sold", check, "LIST-6", at(spec.ListPets, 200, 404, 2))},
		[]told{{"500 instead of 200 from listPets with a limit", []spec.ID{"LIST-3"}}, {"404 instead of 200 from listPets with a status filter", []spec.ID{"LIST-6"}}}},
	"a crash with the framework's page": {
		[]verdict.Check{
			failed("create-name-missing", check, "CREATE-6", at(spec.CreatePet, 400, 500, 1)),
			failed("error-media-type", rule, "ERROR-1", at(spec.CreatePet, 0, 500, 1))},
		[]told{{"500 instead of 400 from createPet for a body without a name", []spec.ID{"CREATE-6", "ERROR-1"}}}},
	"crashes, and the framework's page for every error": {
		[]verdict.Check{
			failed("create-name-missing", check, "CREATE-6", at(spec.CreatePet, 400, 500, 1)),
			failed("create-body-invalid", check, "CREATE-11", at(spec.CreatePet, 400, 500, 2)),
			failed("error-media-type", rule, "ERROR-1", at(spec.CreatePet, 0, 500, 1), at(spec.CreatePet, 0, 500, 2), at(spec.GetPet, 0, 404, 3))},
		[]told{{"500 instead of 400 from createPet", []spec.ID{"CREATE-6", "CREATE-11"}}, {"Error responses are not application/json", []spec.ID{"ERROR-1"}}}},
	"a crash on a query that the interface leaves open": {
		[]verdict.Check{
			holding(2, failed("error-body", rule, "ERROR-2", at(spec.ListPets, 0, 500, 1)))},
		[]told{{"The 500 from listPets does not have the Error body", []spec.ID{"ERROR-2"}}}},
	"one error response, which does not have the Error body": {
		[]verdict.Check{
			failed("error-body", rule, "ERROR-2", at(spec.ListPets, 0, 401, 1))},
		[]told{{"Error responses do not have the Error body", []spec.ID{"ERROR-2"}}}},
	"one wrong media type on successes and Errors": {
		[]verdict.Check{
			failed("success-media-type", rule, "SERVICE-1", showing("Content-Type: text/plain", at(spec.GetPet, 0, 200, 1))),
			failed("error-media-type", rule, "ERROR-1",
				showing(`Content-Type: text/plain: {"code":"x"}`, at(spec.GetPet, 0, 404, 2)))},
		[]told{{"Successful responses are not application/json", []spec.ID{"SERVICE-1", "ERROR-1"}}}},
	"one wrong media type on successes, and on the framework's page": {
		[]verdict.Check{
			failed("success-media-type", rule, "SERVICE-1", showing("Content-Type: text/html", at(spec.GetPet, 0, 200, 1))),
			failed("error-media-type", rule, "ERROR-1", showing("Content-Type: text/html: <p>", at(spec.GetPet, 0, 404, 2)))},
		[]told{{"Successful responses are not application/json", []spec.ID{"SERVICE-1"}},
			{"Error responses are not application/json", []spec.ID{"ERROR-1"}}}},
	"a store of which sequences alone read other animals": {
		[]verdict.Check{
			failed("explore", check, "GET-1", at(spec.GetPet, 200, 404, 3)),
			failed("explore", check, "GET-3", at(spec.GetPet, 404, 200, 4))},
		[]told{{"404 instead of 200 from getPet for an animal that exists", []spec.ID{"GET-1", "GET-3"}}}},
	"a store of which sequences read other animals": {
		[]verdict.Check{
			failed("create-parallel", check, "CREATE-5", at(spec.CreatePet, 0, 201, 1)),
			failed("explore", check, "LIST-8", at(spec.ListPets, 0, 200, 2)),
			failed("explore", check, "GET-1", at(spec.GetPet, 200, 404, 3)),
			failed("explore", check, "GET-1", at(spec.GetPet, 200, 500, 4)),
			failed("explore", check, "GET-4", at(spec.GetPet, 400, 404, 5))},
		[]told{{"Two animals get the same id", []spec.ID{"CREATE-5", "LIST-8", "GET-1"}},
			{"500 instead of 200 from getPet for an animal that exists", []spec.ID{"GET-1"}},
			{"404 instead of 400 from getPet", []spec.ID{"GET-4"}}}},
	"a replica that stays behind": {
		[]verdict.Check{
			nowAndThen(failed("list-created", check, "GET-1", at(spec.GetPet, 200, 404, 1))),
			nowAndThen(failed("explore", check, "LIST-11", at(spec.ListPets, 0, 200, 2))),
			nowAndThen(failed("explore", check, "LIST-8", at(spec.ListPets, 0, 200, 3))),
			nowAndThen(failed("explore", check, "GET-1", at(spec.GetPet, 200, 404, 4)))},
		[]told{{"A listing leaves animals out, sometimes", []spec.ID{"LIST-11", "LIST-8", "GET-1"}}}},
	"a store of which sequences read listings that lack an animal": {
		[]verdict.Check{
			failed("create-parallel", check, "CREATE-5", at(spec.CreatePet, 0, 201, 1)),
			failed("explore", check, "LIST-11", at(spec.ListPets, 0, 200, 2)),
			failed("explore", check, "LIST-8", at(spec.ListPets, 0, 200, 3))},
		[]told{{"Two animals get the same id", []spec.ID{"CREATE-5", "LIST-8", "LIST-11"}}}},
	"server errors that do not depend on what is asked for": {
		[]verdict.Check{
			nowAndThen(failed("explore", check, "GET-1", at(spec.GetPet, 200, 500, 1))),
			nowAndThen(failed("explore", check, "GET-3", at(spec.GetPet, 404, 500, 2))),
			failed("list-all", check, "LIST-1", at(spec.ListPets, 200, 500, 3))},
		[]told{{"500 from getPet, whatever is asked for, sometimes", []spec.ID{"GET-1", "GET-3"}},
			{"500 instead of 200 from listPets without parameters", []spec.ID{"LIST-1"}}}},
	"server errors of three operations, with the page of the framework": {
		[]verdict.Check{
			failed("create-body-invalid", check, "CREATE-11", at(spec.CreatePet, 400, 500, 1)),
			nowAndThen(failed("explore", check, "GET-1", at(spec.GetPet, 200, 500, 2))),
			failed("auth-scheme-list", check, "AUTH-4", at(spec.ListPets, 401, 500, 3)),
			failed("list-all", check, "LIST-1", at(spec.ListPets, 200, 503, 4)),
			failed("error-media-type", rule, "ERROR-1", at(spec.CreatePet, 0, 500, 1), at(spec.GetPet, 0, 500, 2), at(spec.ListPets, 0, 500, 3))},
		[]told{{"500, whatever is asked for, sometimes", []spec.ID{"GET-1", "CREATE-11", "AUTH-4", "ERROR-1"}},
			{"503 instead of 200 from listPets without parameters", []spec.ID{"LIST-1"}}}},
	"a word behind the right key, and a body that is read before the key": {
		[]verdict.Check{
			failed("auth-invalid-list", check, "AUTH-3", at(spec.ListPets, 401, 200, 1)),
			failed("auth-first-create", check, "AUTH-5", at(spec.CreatePet, 401, 400, 2))},
		[]told{{"Requests without the right key are served", []spec.ID{"AUTH-3"}}, {"The service checks something else before the key", []spec.ID{"AUTH-5"}}}},
	"the right key under any scheme, and a body that is read before the key": {
		[]verdict.Check{
			failed("auth-scheme-list", check, "AUTH-4", at(spec.ListPets, 401, 200, 1)),
			failed("auth-first-create", check, "AUTH-5", at(spec.CreatePet, 401, 400, 2))},
		[]told{{"The key is accepted under another scheme than Bearer", []spec.ID{"AUTH-4"}}, {"The service checks something else before the key", []spec.ID{"AUTH-5"}}}},
	"what hides comes before what shows in more places": {
		[]verdict.Check{
			failed("auth-missing-list", check, "AUTH-2", at(spec.ListPets, 401, 403, 1)),
			failed("auth-missing-get", check, "AUTH-2", at(spec.GetPet, 401, 403, 2)),
			failed("bare-array", rule, "LIST-2", at(spec.ListPets, 0, 200, 3)),
			unsure("list-limit-default", spec.ListPets, "LIST-2")},
		[]told{{"A listing is not a bare array of Pet objects", []spec.ID{"LIST-2"}}, {"403 instead of 401", []spec.ID{"AUTH-2"}}}},
	"an operation that is gone, whatever is asked for": {
		[]verdict.Check{
			failed("get-existing", check, "GET-1", at(spec.GetPet, 200, 410, 1)),
			failed("get-unknown", check, "GET-3", at(spec.GetPet, 404, 410, 2)),
			failed("list-all", check, "LIST-1", at(spec.ListPets, 200, 410, 3))},
		[]told{{"410 from getPet, whatever is asked for", []spec.ID{"GET-1", "GET-3"}}, {"410 instead of 200 from listPets without parameters", []spec.ID{"LIST-1"}}}},
	"methods that are garbled now and then": {
		[]verdict.Check{
			failed("create-category-missing", check, "CREATE-7", at(spec.CreatePet, 400, 501, 1)),
			failed("auth-first-create", check, "AUTH-5", at(spec.CreatePet, 401, 501, 2)),
			failed("get-unknown", check, "GET-3", at(spec.GetPet, 404, 501, 3))},
		[]told{{"501 from createPet and getPet", []spec.ID{"CREATE-7", "GET-3", "AUTH-5"}}}},
	"a refused animal that stays, with the status for which it was refused": {
		[]verdict.Check{
			failed("create-refused-leaves-nothing", check, "CREATE-12", resting(at(spec.ListPets, 0, 200, 9), 4)),
			failed("pet-schema", rule, "PET-4", resting(at(spec.ListPets, 0, 200, 9), 4))},
		[]told{{"A createPet request that is refused creates an animal", []spec.ID{"CREATE-12", "PET-4"}}}},
	"a refused animal that stays, and one of the run's own without a category": {
		[]verdict.Check{
			failed("create-refused-leaves-nothing", check, "CREATE-12", resting(at(spec.ListPets, 0, 200, 9), 4)),
			failed("pet-schema", rule, "PET-3", at(spec.ListPets, 0, 200, 9))},
		[]told{{"The categoryId of a Pet is not an int64", []spec.ID{"PET-3"}},
			{"A createPet request that is refused creates an animal", []spec.ID{"CREATE-12"}}}},
	"listings that a cache answers, and others with too many animals": {
		[]verdict.Check{
			titled("A copy", failed("limit-kept", rule, "LIST-4", at(spec.ListPets, 0, 200, 1))),
			titled("A copy", failed("list-limit-between", check, "LIST-11", at(spec.ListPets, 0, 200, 2))),
			titled("Another", failed("list-all", check, "LIST-2", at(spec.ListPets, 0, 200, 3)))},
		[]told{{"A copy", []spec.ID{"LIST-4", "LIST-11"}}, {"Another", []spec.ID{"LIST-2"}}}},
	"a store of floating-point numbers, which takes fractions": {
		[]verdict.Check{
			failed("create-category-invalid", check, "CREATE-9", at(spec.CreatePet, 400, 201, 1)),
			failed("pet-schema", rule, "PET-3", showing("the number 1.0", at(spec.ListPets, 0, 200, 2)))},
		[]told{{"createPet accepts bodies that it has to refuse", []spec.ID{"CREATE-9", "PET-3"}}}},
	"a store of floating-point numbers, which rounds": {
		[]verdict.Check{
			expecting("the number 9007199254740993, as it was created", failed("created-is-kept", rule, "CREATE-13", at(spec.GetPet, 0, 200, 1))),
			failed("pet-schema", rule, "PET-3", showing("the number 9223372036854775808", at(spec.ListPets, 0, 200, 2)))},
		[]told{{"An animal is read with other values than it was created with", []spec.ID{"CREATE-13", "PET-3"}}}},
	"a number beyond 64 bits, beside a name that is cut": {
		[]verdict.Check{
			expecting("the string \"x\", as it was created", failed("created-is-kept", rule, "CREATE-13", at(spec.GetPet, 0, 200, 1))),
			failed("pet-schema", rule, "PET-3", showing("the number 9223372036854775808", at(spec.ListPets, 0, 200, 2)))},
		[]told{{"The categoryId of a Pet is not an int64", []spec.ID{"PET-3"}},
			{"An animal is read with other values than it was created with", []spec.ID{"CREATE-13"}}}},
	"a byte order mark before each body": {
		[]verdict.Check{
			failed("success-json", rule, "SERVICE-2", showing("invalid character '\\ufeff' at start of value: []", at(spec.ListPets, 0, 200, 1))),
			failed("error-body", rule, "ERROR-2", showing("invalid character '\\ufeff' at start of value: {}", at(spec.ListPets, 0, 401, 2)))},
		[]told{{"Successful responses are not one JSON value in UTF-8", []spec.ID{"SERVICE-2", "ERROR-2"}}}},
	"a 503 now and then, although the service runs": {
		[]verdict.Check{nowAndThen(failed("answered", rule, "SERVICE-3", at(spec.ListPets, 0, 503, 1)))},
		[]told{{"503 from listPets, whatever is asked for, sometimes", []spec.ID{"SERVICE-3"}}}},
	"a should is no cause, and a phase of a load is one": {
		[]verdict.Check{
			failed("challenge", rule, "AUTH-7", at(spec.ListPets, 0, 401, 1)),
			failed("load-free-fill", verdict.Phase, "RATE-6")},
		[]told{{"Requests beyond the plan's limit are not answered 429", []spec.ID{"RATE-6"}}}},
}

func TestWhatOneChangeMendsStandsTogether(t *testing.T) {
	for name, row := range together {
		causes := Of(resultsOf(row.checks...))
		var got []told
		for _, c := range causes {
			got = append(got, told{c.Title, c.Requirements})
		}
		if !slices.EqualFunc(got, row.want, func(a, b told) bool { return a.title == b.title && slices.Equal(a.requirements, b.requirements) }) {
			t.Errorf("%s:\n%v\n%v is wanted", name, got, row.want)
		}
	}
}

func TestACauseNamesWhatItHides(t *testing.T) {
	causes := Of(resultsOf(failed("answered", rule, "SERVICE-3", at(spec.CreatePet, 0, 0, 1)),
		unsure("create-name-missing", spec.CreatePet, "SERVICE-3"), unsure("list-open-limit", spec.ListPets, "SERVICE-3"), unsure("list-limit-default", spec.ListPets)))
	if len(causes) != 1 || !slices.Equal(causes[0].Hides, []string{"create-name-missing"}) {
		t.Errorf("%+v; one cause is wanted that hides create-name-missing", causes)
	}
}

// TestHints: what one change mends has one hint, and accepted keys have one for each way in which they are compared wrongly.
func TestHints(t *testing.T) {
	hinted := func(id spec.ID, c verdict.Case) verdict.Check {
		one := failed(string(id), check, id, c)
		one.Findings[0].Hint = "mend " + string(id)
		return one
	}
	compared := []verdict.Check{hinted("AUTH-3", at(spec.ListPets, 401, 200, 1)), hinted("AUTH-4", at(spec.ListPets, 401, 200, 2))}
	divided := hinted("CREATE-8", at(spec.CreatePet, 400, 201, 4))
	divided.Findings[0].Exchange, divided.Findings[0].Hint = 3, "of the 422 of exchange 3"
	numbers, _ := spec.TheLedger().Find("CREATE-8")
	for name, row := range map[string]struct {
		checks []verdict.Check
		want   []string
	}{
		"a key that is compared wrongly":     {compared, []string{"mend AUTH-3", "mend AUTH-4"}},
		"a key that is not checked":          {append(compared, hinted("AUTH-5", at(spec.CreatePet, 401, 400, 3)), hinted("AUTH-2", at(spec.ListPets, 401, 200, 4))), []string{"mend AUTH-2"}},
		"a case of another cause":            {[]verdict.Check{divided}, []string{numbers.Hint}},
		"one wrong status for all of them":   {[]verdict.Check{hinted("AUTH-3", at(spec.ListPets, 401, 403, 1)), hinted("AUTH-4", at(spec.ListPets, 401, 403, 2))}, []string{"mend AUTH-3"}},
		"a body that is judged before a key": {[]verdict.Check{hinted("AUTH-5", at(spec.CreatePet, 401, 400, 3))}, []string{"mend AUTH-5"}},
	} {
		if causes := Of(resultsOf(row.checks...)); len(causes) != 1 || !slices.Equal(causes[0].Hints(), row.want) {
			t.Errorf("%s: %d causes, the first with %q; one is wanted with %q", name, len(causes), causes[0].Hints(), row.want)
		}
	}
}

// A case that names no exchange, as a file may have it, is a case all the same.
func TestACaseWithoutExchanges(t *testing.T) {
	one := failed("error-body", rule, "ERROR-2", at(spec.ListPets, 0, 400, 3))
	one.Findings[0].Cases = append(one.Findings[0].Cases, verdict.Case{Operation: spec.ListPets, Actual: "no code"})
	two := failed("error-status", rule, "ERROR-3", at(spec.ListPets, 0, 400, 3))
	two.Findings[0].Cases = []verdict.Case{{Operation: spec.ListPets}}
	if all := Of(resultsOf(one, two)); len(all) != 2 {
		t.Errorf("%d causes; 2 are wanted: %+v", len(all), all)
	}
}

// TestOfCheck: a check's findings are one cause, and a check that names neither a finding nor a requirement has its reason.
func TestOfCheck(t *testing.T) {
	c := failed("create-name-invalid", check, "CREATE-8", at(spec.CreatePet, 400, 201, 1), at(spec.CreatePet, 400, 500, 2))
	c.Findings = append(c.Findings, verdict.Finding{Requirement: "CREATE-12"})
	if one := OfCheck(c); len(one.Places) != 2 || !slices.Equal(one.Requirements, []spec.ID{"CREATE-8", "CREATE-12"}) || len(one.Places[0].Finding.Cases) != 2 {
		t.Errorf("%+v", one)
	}
	if one := OfCheck(verdict.Check{ID: "x", Verdict: verdict.Failed, Reason: "why"}); len(one.Places) != 1 || one.Places[0].Finding.Message != "why" {
		t.Errorf("%+v", one)
	}
}
