package bundle

import (
	"flag"
	"os"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// varying is what differs from one key to the next, and with what is sent: digests, counts and how long it took.
var varying = regexp.MustCompile(`SHA256:\S+|[0-9a-f]{8}(\s+[0-9a-f]{8})+|\d+ of \d+ musts were tested by \d+ requests|\d+ responses|(?s)Sent  .*?\nRun|Size  .*?\nGates`)

// TestVerified: what a release manager reads of a signed bundle, and of one that was altered.
func TestVerified(t *testing.T) {
	_, _, text := filed(t).verified()
	altered := filed(t)
	altered.files[WaiversFile] = []byte("[]\n")
	_, _, other := altered.verified()
	got := varying.ReplaceAllString(text+"\n"+other, "…")
	const name = "testdata/verified.txt"
	if *update {
		noError(t, os.WriteFile(name, []byte(got), 0o600))
	}
	if want, err := os.ReadFile(name); err != nil || string(want) != got {
		t.Errorf("%v: %s differs; look at it, and write it again with -update:\n%s", err, name, got)
	}
}
