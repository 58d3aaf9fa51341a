package reference

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/reference/deviations"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestDeviationsAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range deviations.All() {
		if !kebab.MatchString(d.Name) || seen[d.Name] {
			t.Errorf("%s: the name is not in kebab-case, or stands twice", d.Name)
		}
		seen[d.Name] = true
		if !strings.HasSuffix(d.Effect(), ".") {
			t.Errorf("%s: want a sentence on the effect, got %q", d.Name, d.Effect())
		}
		needs := []deviations.Need{deviations.Standard, deviations.Animals, deviations.Full, deviations.Explore,
			deviations.Load, deviations.Day, deviations.Ban}
		if len(d.Breaks) == 0 || !slices.Contains(needs, d.Needs) {
			t.Errorf("%s breaks %v and needs %q", d.Name, d.Breaks, d.Needs)
		}
		for _, id := range d.Breaks {
			r, known := spec.TheLedger().Find(id)
			if !known || r.Level != spec.Must || r.Proof.Beyond() || slices.Contains(d.May, id) {
				t.Errorf("%s breaks %s, which is not a must that a run can reach, or stands twice", d.Name, id)
			}
		}
		for _, id := range d.May {
			if _, known := spec.TheLedger().Find(id); !known {
				t.Errorf("%s may break %s, which the ledger does not know", d.Name, id)
			}
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for _, row := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Deviations = []string{"list-nul-when-empty"} }, `unknown deviation "list-nul-when-empty"; did you mean list-null-when-empty?`},
		{func(c *Config) { c.Deviations = []string{"limit-defaults-to-non"} },
			`unknown deviation "limit-defaults-to-non"; did you mean limit-defaults-to-none?`},
		{func(c *Config) { c.Deviations = []string{"qqqqqqqqqqqq"} }, `unknown deviation "qqqqqqqqqqqq"; petconform list deviations names them all`},
		{func(c *Config) { c.Freedoms = []string{"newest-first", "random-order"} },
			"the freedoms newest-first and random-order both change the order; use one of them"},
	} {
		cfg := testConfig()
		row.change(&cfg)
		if _, err := New(cfg); err == nil || err.Error() != row.want {
			t.Errorf("want %s\ngot  %v", row.want, err)
		}
	}
}
