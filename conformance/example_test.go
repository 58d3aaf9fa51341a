package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/reference"
)

// handler is the service that the examples test.
func handler(deviations ...string) (service http.Handler, key string) {
	k := reference.RandomKey("example", spec.Business)
	s, err := reference.New(reference.Config{Keys: []reference.Key{k}, Deviations: deviations})
	if err != nil {
		panic(err)
	}
	return s, k.Secret.Reveal()
}

// A Ginkgo suite holds the interface in one line, at its top level. ginkgo --label-filter=LIST-5 then runs one requirement.
func ExampleDescribe() {
	_ = func() *conformance.Suite { // in a suite: var _ = conformance.Describe(…)
		return conformance.Describe(conformance.At("http://localhost:8080/v1", os.Getenv("PETCONFORM_KEY")))
	}
}

// A test of an http.Handler has a subtest for each check and each rule. go test -run 'TestPets/list-limit-default' runs one.
func ExampleTest() {
	_ = func(t *testing.T) { // func TestPets(t *testing.T)
		service, key := handler()
		conformance.Test(t, conformance.Serving(service, key))
	}
}

// What drives the suite sends and judges without a test framework too.
func Example_withoutATestFramework() {
	service, key := handler("limit-defaults-to-10")
	recording, err := run.Send(context.Background(), conformance.Serving(service, key))
	if err != nil {
		fmt.Println(err)
		return
	}
	results := judge.Recording(recording)
	fmt.Println(results.Verdict)
	for _, c := range results.Checks {
		for _, f := range c.Findings {
			fmt.Printf("%s, %s: %s\n", f.Requirement, f.Message, f.Actual)
		}
	}
	// Output:
	// deviates
	// LIST-5, GET /pets: 10 animals without it
}
