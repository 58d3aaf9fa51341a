package reference

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestDeviationsAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range deviations.All() {
		t.Run(d.Name, func(t *testing.T) {
			if !kebab.MatchString(d.Name) || seen[d.Name] {
				t.Error("the name is not in kebab-case, or stands twice")
			}
			seen[d.Name] = true
			if !strings.HasSuffix(d.Effect(), ".") {
				t.Errorf("want a sentence on the effect, got %q", d.Effect())
			}
			if len(d.Breaks) == 0 {
				t.Error("want at least one requirement")
			}
			for _, id := range d.Breaks {
				r, known := spec.TheLedger().Find(id)
				if !known || r.Level != spec.Must || r.Proof.Beyond() {
					t.Errorf("it breaks %s, which is not a must that a run can reach", id)
				}
				if slices.Contains(d.May, id) {
					t.Errorf("%s stands among what it breaks and what it may break", id)
				}
			}
			for _, id := range d.May {
				if _, known := spec.TheLedger().Find(id); !known {
					t.Errorf("it may break %s, which the ledger does not know", id)
				}
			}
		})
	}
	if len(seen) < 170 {
		t.Errorf("want at least 170 deviations, got %d", len(seen))
	}
}

// A deviation that no answer shows would prove nothing.
func TestEveryDeviationShows(t *testing.T) {
	all := long.Deviations(t, deviations.All())
	plainSessions := map[int]string{}
	for _, d := range all {
		cfg, _ := sessionConfig()
		cfg.Deviations = []string{d.Name}
		seed := newService(t, cfg).behaviour.Seed
		if plainSessions[seed] == "" {
			plainSessions[seed] = strings.Join(session(t, seed), "\n")
		}
	}
	for _, d := range all {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			cfg, _ := sessionConfig()
			cfg.Deviations = []string{d.Name}
			seed := newService(t, cfg).behaviour.Seed
			if strings.Join(session(t, 0, d.Name), "\n") == plainSessions[seed] {
				t.Error("no answer of the session differs from the plain service's")
			}
		})
	}
}

// The other tests compare sessions, so two sessions of the plain service must be the same.
func TestASessionRepeats(t *testing.T) {
	first, second := session(t, 0), session(t, 0)
	for i := range first {
		if first[i] != second[i] {
			t.Errorf("line %d of two sessions differs:\n%s\n%s", i+1, first[i], second[i])
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for _, row := range []struct{ deviation, freedom, want string }{
		{"list-nul-when-empty", "", `unknown deviation "list-nul-when-empty"; did you mean list-null-when-empty?`},
		{"", "newest", `unknown freedom "newest"; did you mean newest-first?`},
		{"qqqqqqqqqqqq", "", `unknown deviation "qqqqqqqqqqqq"; petconform list deviations names them all`},
	} {
		cfg := testConfig()
		if row.deviation != "" {
			cfg.Deviations = []string{row.deviation}
		}
		if row.freedom != "" {
			cfg.Freedoms = []string{row.freedom}
		}
		if _, err := New(cfg); err == nil || err.Error() != row.want {
			t.Errorf("want %s\ngot  %v", row.want, err)
		}
	}
}
