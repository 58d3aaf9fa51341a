package spec_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"petconform/spec"
)

func TestTheDocumentIsValidAndWhole(t *testing.T) {
	doc := spec.Document()
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != spec.InterfaceVersion {
		t.Errorf("OpenAPI %s of interface %s", doc.OpenAPI, doc.Info.Version)
	}
	var operations []string
	for _, path := range doc.Paths.InMatchingOrder() {
		for _, o := range doc.Paths.Value(path).Operations() {
			operations = append(operations, o.OperationID)
			if o.Responses.Status(401) == nil || o.Responses.Status(429) == nil {
				t.Errorf("%s does not say what 401 and 429 look like", o.OperationID)
			}
		}
	}
	for _, o := range spec.Operations() {
		if !slices.Contains(operations, string(o)) {
			t.Errorf("the document lacks %s", o)
		}
	}
	if !doc.Paths.Value("/pets/{petId}").Get.Deprecated {
		t.Error("getPet is not marked deprecated")
	}
	if len(doc.Servers) != 2 || len(doc.Security) != 1 {
		t.Errorf("%d servers and %d security requirements; two deployments and one bearer are wanted", len(doc.Servers), len(doc.Security))
	}
}

func TestOperationOf(t *testing.T) {
	for _, c := range []struct {
		method, path string
		want         spec.Operation
	}{
		{"GET", "/pets", spec.ListPets}, {"GET", "/pets?limit=1", spec.ListPets}, {"POST", "/pets", spec.CreatePet},
		{"GET", "/pets/7", spec.GetPet}, {"GET", "/pets/a%2Fb", spec.GetPet}, {"GET", "/store/orders", spec.StoreOrders},
		{"GET", "/pets/", spec.Elsewhere}, {"GET", "/pets/7/photos", spec.Elsewhere}, {"PUT", "/pets", spec.Elsewhere}, {"DELETE", "/pets/7", spec.Elsewhere},
	} {
		if got := spec.OperationOf(c.method, c.path); got != c.want {
			t.Errorf("%s %s is %s, want %s", c.method, c.path, got, c.want)
		}
	}
}

func TestDatesBind(t *testing.T) {
	works, _ := spec.TheLedger().Find("GET-1")
	gone, _ := spec.TheLedger().Find("GET-5")
	for _, c := range []struct {
		day         string
		works, gone bool
	}{
		{"2026-11-20", true, false}, {"2030-12-04", true, false}, {"2030-12-05", false, false}, {"2030-12-06", false, true},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		if works.Applies(day) != c.works || gone.Applies(day) != c.gone {
			t.Errorf("on %s: must work %t, want %t; must be gone %t, want %t", c.day, works.Applies(day), c.works, gone.Applies(day), c.gone)
		}
	}
}

// TestTheLedgerIsWhole: each requirement has an id of its own, a clause and a statement, and what its level and its proof
// need; each must has a title of one line, each must of a service a sentence on its effect, and each statement that can be
// broken a hint. It names what breaks it once, and neither itself nor one that follows from it.
func TestTheLedgerIsWhole(t *testing.T) {
	all, ids := slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients), map[spec.ID]bool{}
	levels := []spec.Level{spec.Must, spec.Should, spec.Open}
	proofs := []spec.Proof{spec.ByCheck, spec.ByRule, spec.ByNet, spec.ByLoad, spec.ByTwo, spec.ByNothing}
	for i, r := range all {
		if ofClient := i >= len(spec.TheLedger().Requirements); ofClient {
			proofs = []spec.Proof{spec.ByClient}
		}
		if r.ID == "" || ids[r.ID] || r.Clause == "" || r.Statement == "" || !slices.Contains(levels, r.Level) || !slices.Contains(proofs, r.Proof) {
			t.Errorf("%s: the id is a duplicate, or the id, the clause, the statement, the level or the proof is missing or unknown", r.ID)
		}
		ids[r.ID] = true
		if (r.Level != spec.Must || r.Proof.Beyond()) && r.Why == "" {
			t.Errorf("%s has no why", r.ID)
		}
		if title := utf8.RuneCountInString(r.Title); r.Level != spec.Open && !r.Proof.Beyond() && title == 0 || title > 72 {
			t.Errorf("the title of %s is missing, or has more than 72 characters: %s", r.ID, r.Title)
		}
		if must := r.Level == spec.Must && r.Proof != spec.ByClient; must != strings.HasSuffix(r.Effect, ".") || utf8.RuneCountInString(r.Effect) > 110 {
			t.Errorf("the effect of %s is missing, no sentence, too much or has more than 110 characters: %q", r.ID, r.Effect)
		}
		if able := r.Level != spec.Open && r.Proof != spec.ByNothing; able && r.Hint == "" || utf8.RuneCountInString(r.Hint) > 240 {
			t.Errorf("the hint of %s is missing, or has more than 240 characters: %q", r.ID, r.Hint)
		}
		for _, id := range slices.Concat(r.Follows, r.Repeats, r.Carries) {
			of, known := spec.TheLedger().Find(id)
			if !known || id == r.ID || slices.Contains(of.Follows, r.ID) || slices.Contains(r.Follows, id) && slices.Contains(r.Repeats, id) {
				t.Errorf("%s names %s, which is unknown, itself, one that follows from it, or named twice", r.ID, id)
			}
		}
	}
}
