package conformance_test

import (
	"context"
	"crypto/rand"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"

	"petconform/conformance"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// The suite runs against PETCONFORM_TARGET with PETCONFORM_KEY, and against the reference service when they are not set:
//
//	ginkgo --label-filter='must && listPets' ./conformance
//	go test ./conformance
var _ = ginkgo.Describe("the pet adoption interface", func() {
	selection, err := conformance.Select(nil, nil, os.Getenv("PETCONFORM_READ_ONLY") != "")
	if err != nil {
		panic(err)
	}
	suite := &conformance.Suite{Recording: sync.OnceValue(func() *exchange.Recording { return record(selection) })}
	suite.Define(selection)
})

// TestConformance runs the specs.
func TestConformance(t *testing.T) { ginkgo.RunSpecs(t, "petconform") }

func record(selection conformance.Selection) *exchange.Recording {
	base, key := target()
	rec, err := conformance.Send(context.Background(), conformance.Config{Base: base, Key: key, Selection: selection,
		CategoryID: conformance.DefaultCategoryID, MaxCreates: conformance.DefaultMaxCreates,
		Concurrency: conformance.DefaultConcurrency, Patience: conformance.DefaultPatience, AsOf: time.Now().UTC(),
		Seed: 1, Run: strings.ToLower(rand.Text()[:6]), Tool: "petconform/ginkgo",
		Transport: client.NewTransport(client.DefaultConnections)})
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	return rec
}

func target() (*url.URL, exchange.Secret) {
	if address := os.Getenv("PETCONFORM_TARGET"); address != "" {
		base, err := client.ParseBase(address)
		if err != nil {
			ginkgo.Fail(err.Error())
		}
		return base, exchange.NewSecret(os.Getenv("PETCONFORM_KEY"))
	}
	key := reference.RandomKey("ginkgo", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	server := httptest.NewServer(service)
	base, err := client.ParseBase(server.URL + "/v1")
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	return base, key.Secret
}
