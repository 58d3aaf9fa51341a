package conformance_test

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
	"time"

	_ "github.com/onsi/ginkgo/v2" // the ginkgo command takes a package for a suite by this import

	"petconform/conformance"
)

// The suite runs against PETCONFORM_TARGET with PETCONFORM_KEY, and against the reference service when no target is set:
//
//	go test ./conformance
//	PETCONFORM_ACCEPT_PART=1 ginkgo --label-filter='must && listPets' ./conformance
//
// PETCONFORM_READ_ONLY=1 creates nothing. PETCONFORM_TIMEOUT=5s, PETCONFORM_PATIENCE and PETCONFORM_MAX_WAIT are what the flags
// of petconform check are.
var suite = conformance.Describe(target())

// TestMain leaves the tests of this package out where the ginkgo command runs the suite. The command always sets the seed. The heap may
// grow to five times what is in use: these tests allocate much and keep little, and take a third less CPU so.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	flag.Parse()
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "ginkgo.seed" {
			_ = flag.Set("test.run", "^TestConformance$")
		}
	})
	os.Exit(m.Run())
}

func TestConformance(t *testing.T) {
	suite.AcceptPart = os.Getenv("PETCONFORM_ACCEPT_PART") != ""
	suite.RunSpecs(t, "petconform")
}

func target() conformance.Config {
	cfg := conformance.At(os.Getenv("PETCONFORM_TARGET"), os.Getenv("PETCONFORM_KEY"))
	if _, set := os.LookupEnv("PETCONFORM_TARGET"); !set {
		cfg = conformance.Serving(handler())
	}
	cfg.ReadOnly = os.Getenv("PETCONFORM_READ_ONLY") != ""
	for variable, to := range map[string]*time.Duration{"PETCONFORM_TIMEOUT": &cfg.Timeout, "PETCONFORM_PATIENCE": &cfg.Patience, "PETCONFORM_MAX_WAIT": &cfg.MaxWait} {
		if d, err := time.ParseDuration(os.Getenv(variable)); err == nil {
			*to = d
		}
	}
	return cfg
}
