package bundle

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

func TestStatement(t *testing.T) {
	files, _ := filed(t)
	data, err := files.Statement(Subject{"registry.example/pets", strings.Repeat("ab", 32)})
	if err != nil {
		t.Fatal(err)
	}
	var s statement
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != statementType || s.Predicate.Result != "FAILED" || s.Subject[0].Name != "registry.example/pets" || !slices.Contains(s.Predicate.FailedTests, "create-9") || !slices.Contains(s.Predicate.WarnedTests, "list-5") {
		t.Errorf("%s", data)
	}
	if slices.Contains(s.Predicate.FailedTests, "auth-7") || !slices.Contains(s.Predicate.WarnedTests, "auth-7") {
		t.Errorf("a should that is not kept is a warning: %s", data)
	}
}

// TestStatementByAReader has the statement read as in-toto's own tools do: no member that they don't know, none that they miss.
func TestStatementByAReader(t *testing.T) {
	files, _ := filed(t)
	for name, tested := range map[string][]Subject{"the bundle": nil, "an image": {{"registry.example/pets", strings.Repeat("ab", 32)}}} {
		data, err := files.Statement(tested...)
		if err != nil {
			t.Fatal(err)
		}
		var s intoto.Statement
		if err := protojson.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		predicate, err := protojson.Marshal(s.GetPredicate())
		if err != nil {
			t.Fatal(err)
		}
		var result testresult.TestResult
		if err := protojson.Unmarshal(predicate, &result); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, d := range result.GetConfiguration() {
			if err := d.Validate(); err != nil {
				t.Errorf("%s: configuration %s: %v", name, d.GetName(), err)
			}
		}
		if s.GetPredicateType() != PredicateType || result.GetResult() != "FAILED" || len(result.GetPassedTests()) == 0 || len(s.GetSubject()) != 1 {
			t.Errorf("%s: %s with %d subjects: %s", name, s.GetPredicateType(), len(s.GetSubject()), result.GetResult())
		}
	}
}

// TestDocumentedCommands runs what the README tells a reader to type, each line of its block, by cosign itself.
func TestDocumentedCommands(t *testing.T) {
	for _, tool := range []string{"cosign", "unzip", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %s is not there, so the commands of the README were not run", tool)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "```sh\n")
	block, _, closed := strings.Cut(rest, "```")
	if !found || !closed || !strings.Contains(block, "cosign attest-blob") {
		t.Fatal("the README has no block of commands for cosign")
	}
	files, _ := filed(t)
	dir := t.TempDir()
	pack(t, files, filepath.Join(dir, File))
	statement, err := files.Statement()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, StatementFile), statement, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(commands string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "COSIGN_PASSWORD=not a secret")
		return cmd.CombinedOutput()
	}
	if out, err := run(block); err != nil || !strings.Contains(string(out), "Verified OK") {
		t.Fatalf("%v\n%s\n%s", err, block, out)
	}
	lines := strings.Split(strings.TrimSpace(block), "\n")
	verify := lines[len(lines)-1]
	if out, err := run("echo >> SHA256SUMS\n" + verify); err == nil || strings.Contains(string(out), "Verified OK") {
		t.Errorf("after SHA256SUMS was changed, %s says\n%s", verify, out)
	}
}
