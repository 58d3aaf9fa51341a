package explore_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// The script of a card reproduces the failure on a new service, with sh and curl.
func TestScript(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there to run the script with", tool)
		}
	}
	service := reference.Config{Deviations: []string{"create-namesakes-refused"}, Keys: []reference.Key{{Name: "script", Secret: key, Plan: ample}}}
	cards := explore.Cards(run(t, serve(t, service), explore.Config{Requests: 300, Creates: 100, Meta: exchange.Meta{Seed: 1}}).history)
	if len(cards) == 0 || !cards[0].Shortest || cards[0].Findings[0].Requirement != spec.ID("CREATE-1") {
		t.Fatalf("want a short card for CREATE-1, got %v", cards)
	}
	fresh, err := reference.New(service)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(fresh)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "again.sh")
	if err := os.WriteFile(file, []byte(cards[0].Script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", file)
	cmd.Env = append(os.Environ(), "PETCONFORM_KEY="+key.Reveal(), "PETCONFORM_TARGET="+server.URL+"/v1", "NO_PROXY=*", "no_proxy=*")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "201 Created") || !strings.Contains(string(out), "409 Conflict") {
		t.Errorf("the script is to show a 201 and, for the namesake, a 409: %v\n%s\n%s", err, cards[0].Script, out)
	}
}
