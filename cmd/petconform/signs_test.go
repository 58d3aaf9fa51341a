package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/reports"
)

// signLine and signerLine are the lines of README.md by which people sign and verify, and those of the file of signers.
var (
	signLine   = regexp.MustCompile(`(?m)^    (ssh-keygen -Y sign|petconform verify) .*$`)
	signerLine = regexp.MustCompile(`(?m)^    (\w+)@\S+ +namespaces=.*$`)
)

// signs runs README.md's lines on the bundle in a folder, by bash, as two people with a key each: signs FOLDER. It wants
// the last one to exit with 0 and to name both.
func signs(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile("../../README.md")
	ts.Check(err)
	lines, listed := signLine.FindAllString(string(text), -1), signerLine.FindAllStringSubmatch(string(text), -1)
	if len(lines) != 3 || len(listed) != 2 {
		ts.Fatalf("README.md has %d lines that sign and verify, and %d signers; 3 and 2 are wanted", len(lines), len(listed))
	}
	var homes []string
	var signers strings.Builder
	for _, l := range listed {
		home := ts.MkAbs(l[1])
		ts.Check(os.MkdirAll(filepath.Join(home, ".ssh"), 0o700))
		key := filepath.Join(home, ".ssh", "id_ed25519")
		ts.Check(ts.Exec("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key))
		fmt.Fprintln(&signers, strings.Replace(strings.TrimSpace(l[0]), "ssh-ed25519 AAAA…", ts.ReadFile(key+".pub"), 1))
		homes = append(homes, home)
	}
	ts.Check(os.WriteFile(ts.MkAbs("signers"), []byte(signers.String()), 0o600))
	run, err := reports.Opening{}.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	for i, line := range lines {
		line = strings.NewReplacer("petconform-out/", args[0]+"/", "--target URL", "--target "+run.Results.Target.URL).Replace(line)
		cmd := exec.Command("bash", "-c", "set -o pipefail\n"+line)
		cmd.Dir, cmd.Env = ts.MkAbs("."), append(os.Environ(), "PATH="+ts.Getenv("PATH"), "HOME="+homes[min(i, 1)])
		out, err := cmd.CombinedOutput()
		ts.Logf("$ %s\n%s", line, out)
		ts.Check(err)
		if i == 2 && !strings.Contains(string(out), "Prepared by ada@example.org, approved by noor@example.org.") {
			ts.Fatalf("both signers are wanted")
		}
	}
}
