package spec_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"petconform/spec"
)

var update = flag.Bool("update", false, "write README.md again")

// TestTheReadme: README.md is what the ledger and the OpenAPI document say.
func TestTheReadme(t *testing.T) {
	var want bytes.Buffer
	if err := spec.WriteMarkdown(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("README.md", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("README.md"); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("README.md is not what the ledger and the document say (%v); run go test ./spec -update", err)
	}
}
