package run_test

import (
	"testing"
	"time"

	"petconform/conformance/run"
	"petconform/spec/client"
)

func TestPatienceFor(t *testing.T) {
	for address, want := range map[string]time.Duration{"http://localhost:8080/v1": 3 * time.Second, "http://127.0.0.2/v1": 3 * time.Second,
		"http://[::1]:8080/v1": 3 * time.Second, "https://staging.example/v1": 10 * time.Second, "http://10.0.0.7/v1": 10 * time.Second} {
		base, err := client.ParseBase(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.PatienceFor(base); got != want {
			t.Errorf("%s: %s; %s is wanted", address, got, want)
		}
	}
}
