package explore

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// TestScriptOfACraftedRecording: nothing that a recording says becomes a command in the script, or a file that curl reads.
func TestScriptOfACraftedRecording(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not there to run the script with")
	}
	const command = "\ntouch hacked\n'; touch hacked #$(touch hacked)`touch hacked`"
	dir := t.TempDir()
	fake := "#!/bin/sh\nfor word; do case $word in @-) ;; @*) touch hacked;; esac; done\necho '{\"id\": 1}'\n"
	for _, name := range []string{"curl", "cat"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fake), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	x := exchange.Exchange{N: 1, Auth: exchange.Auth(command), Request: exchange.Request{Method: "GET" + command, Path: "/pets" + command,
		Header: http.Header{"Content-Type": {"a" + command}, "@/etc/hostname": {"a"}}, Body: exchange.Body("/etc/hostname" + command)}}
	text := script(crafted(command), Card{Sequence: "1" + command, Exchanges: []history.Exchange{{Exchange: x}},
		Findings: []verdict.Finding{{Requirement: "CREATE-1", Expected: command, Actual: command}}})
	cmd := exec.CommandContext(t.Context(), "sh", "-c", text)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "PETCONFORM_KEY=k"}
	out, err := cmd.CombinedOutput()
	if _, made := os.Stat(filepath.Join(dir, "hacked")); made == nil || err != nil {
		t.Errorf("the script ran a command of the recording, or failed: %v\n%s\n%s", err, text, out)
	}
}

// crafted has a command wherever the script takes a word from the recording.
func crafted(command string) exchange.Meta {
	var flags []exchange.Flag
	for _, name := range []string{"header", "ca-cert", "cert", "resolve", "key-file", "x" + command} {
		flags = append(flags, exchange.Flag{Name: name, Value: "X-A: ${B}" + command})
	}
	return exchange.Meta{Target: "http://127.0.0.1:9/v1" + command, Flags: flags}
}
