package rerun

import (
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"petconform/load/record"
	"petconform/reports/internal/test/sample"
	"petconform/spec/exchange"
	"petconform/spec/shell"
	"petconform/spec/verdict"
)

// inShell runs a script with a curl that prints its words between brackets, and what it reads.
func inShell(t *testing.T, script string) string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("SKIPPED: sh is not there")
	}
	const curl = `curl() { for w in "$@"; do printf '[%s]' "$w"; [ "$w" = "@-" ] && cat; done; true; }` + "\n"
	cmd := exec.CommandContext(t.Context(), sh, "-c", curl+script)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "PETCONFORM_KEY=Kx-abc9", "PETCONFORM_KEY_OTHER=other"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	return string(out)
}

// TestWord: whatever a word holds, a shell reads it as that word.
func TestWord(t *testing.T) {
	for _, s := range append(sample.Hostile, "", " ", "a b", "it's", `\`, "$HOME", "-n", "\n", "!!", "*", "~", "#x") {
		s = strings.ReplaceAll(s, "\x00", "")
		if got := inShell(t, "printf '%s' "+shell.Word(s)); got != s {
			t.Errorf("%q came through as %q", s, got)
		}
	}
}

// TestCredentials: the shell makes of the key in the environment what was sent, without the key in the line.
func TestCredentials(t *testing.T) {
	for auth, want := range map[exchange.Auth]string{
		exchange.Key: "[-H][Authorization: Bearer Kx-abc9]", exchange.OtherKey: "[-H][Authorization: Bearer other]",
		exchange.NoKey: "", exchange.EmptyKey: "[-H][Authorization: Bearer ]",
		"damaged":               "[-H][Authorization: Bearer " + exchange.Damage("Kx-abc9") + "]",
		exchange.TruncatedKey:   "[-H][Authorization: Bearer " + exchange.Truncate("Kx-abc9") + "]",
		exchange.SwappedCaseKey: "[-H][Authorization: Bearer " + exchange.SwapCase("Kx-abc9") + "]",
		exchange.PrefixedKey:    "[-H][Authorization: Bearer xKx-abc9]", exchange.KeyHeader: "[-H][X-Api-Key: Kx-abc9][-H][Cookie: api_key=Kx-abc9]",
		exchange.ExtendedKey: "[-H][Authorization: Bearer Kx-abc9x]", exchange.BasicScheme: "[-u][Kx-abc9:]",
		exchange.TokenScheme: "[-H][Authorization: Token Kx-abc9]", exchange.NoScheme: "[-H][Authorization: Kx-abc9]",
		exchange.QuotedKey: `[-H][Authorization: Bearer "Kx-abc9"]`,
		"with-comma":       "[-H][Authorization: Bearer Kx-abc9,x]", exchange.SpacedKey: "[-H][Authorization: Bearer Kx-abc9 Kx-abc9]",
		"plain-basic": "[-H][Authorization: Basic Kx-abc9]", "longer-scheme": "[-H][Authorization: BearerX Kx-abc9]",
		"null": "[-H][Authorization: Bearer null]", "three-parts": "[-H][Authorization: Bearer a.b.c]",
		"glued-scheme": "[-H][Authorization: BearerKx-abc9]", "scheme-with-colon": "[-H][Authorization: Bearer: Kx-abc9]",
		exchange.LowerCaseScheme: "[-H][Authorization: bearer Kx-abc9]", exchange.UnknownKey: "[-H][Authorization: Bearer petconform-unknown-key-0d9f6c1e5b7a]",
	} {
		x := exchange.Exchange{Auth: auth, Request: exchange.Request{Method: "GET", Path: "/pets"}}
		line := strings.Join(Curl(verdict.Target{URL: "https://pets.example/v1/"}, x), " ")
		if strings.Contains(line, "Kx") {
			t.Errorf("%s: the key is in %s", auth, line)
		}
		got := inShell(t, line)
		if want := "[-sS][-i][-g][--path-as-is]" + want + "[https://pets.example/v1/pets]"; got != want {
			t.Errorf("%s: %s\n%s is wanted", auth, got, want)
		}
	}
}

// TestBodies: a body goes out as it was, byte for byte; one that is too long for a line is left to the check.
func TestBodies(t *testing.T) {
	for _, body := range append(sample.Hostile, `{"name":"it's","categoryId":1}`, "@/etc/passwd", "\xff\xfe\x00", "%s%%b\\n", "line\nline") {
		x := exchange.Exchange{Auth: exchange.NoKey, Request: exchange.Request{Method: "POST", Path: "/pets", Body: exchange.Body(body)}}
		got := inShell(t, strings.Join(Lines(Curl(verdict.Target{URL: "https://pets.example/v1"}, x), 60), "\n"))
		plain := "[--data-raw][" + body + "]"
		piped := "[--data-binary][@-]" + body + "["
		if !strings.Contains(got, plain) && !strings.Contains(got, piped) {
			t.Errorf("%q went out as %q", body, got)
		}
		if !strings.Contains(got, "[-H][Content-Type:]") {
			t.Errorf("%q: curl would add a form's media type: %s", body, got)
		}
	}
	long := exchange.Exchange{Request: exchange.Request{Body: exchange.Body(strings.Repeat("x", longestBody+1))}}
	if words := Curl(verdict.Target{URL: "https://pets.example/v1"}, long); words != nil {
		t.Errorf("a long body went into a command line of %d pieces", len(words))
	}
}

// TestNamesOfHeaders: curl sends them as they were, and adds no media type to one in lower case.
func TestNamesOfHeaders(t *testing.T) {
	x := exchange.Exchange{Auth: exchange.Key, Request: exchange.Request{Method: "POST", Path: "/pets", Body: exchange.Body("{}"),
		Header: http.Header{"user-agent": {"other"}, "content-type": {"application/json"}}}}
	got := inShell(t, strings.Join(Curl(verdict.Target{URL: "https://pets.example/v1"}, x), " "))
	want := "[-sS][-i][-g][--path-as-is][-X][POST][-H][authorization: Bearer Kx-abc9][-H][content-type: application/json][--data-raw][{}][https://pets.example/v1/pets]"
	if got != want {
		t.Errorf("%s\n%s is wanted", got, want)
	}
}

// TestLines: a command fits the width wherever it can be broken, and stays the same command.
func TestLines(t *testing.T) {
	pieces := []string{"petconform check", "--only auth-invalid-get,get-existing,auth-scheme-get,create-statuses", "--accept-part"}
	got := Lines(pieces, 42)
	want := []string{`petconform check \`, `  --only auth-invalid-get,get-existing,auth-scheme-get,create-statuses \`, "  --accept-part"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\n%q is wanted", got, want)
	}
}

// TestWhatAFileHasIsQuoted: names of plans, targets, flags and senders may be anyone's.
func TestWhatAFileHasIsQuoted(t *testing.T) {
	const evil = "x;id>pwned"
	load := sample.Load(evil)
	r := sample.Good().With(load)
	r.Results.Target.URL, r.Results.Target.Flags = "http://h/"+evil, []exchange.Flag{{Name: "header", Value: evil}, {Name: evil}}
	for _, c := range []verdict.Check{{ID: evil, Kind: verdict.Active}, {ID: record.CheckID(evil, evil), Kind: verdict.Phase}} {
		line := strings.Join(Check(r.Results, c), " ")
		if bare := regexp.MustCompile(`'[^']*'`).ReplaceAllString(line, ""); strings.ContainsAny(bare, ";>") {
			t.Errorf("%s", line)
		}
	}
}

func TestCheck(t *testing.T) {
	res := verdict.Results{Target: verdict.Target{URL: "https://pets.example/v1?a=b&c"}, Strict: true}
	for _, row := range []struct {
		kind verdict.CheckKind
		want string
	}{
		{verdict.Active, "petconform check --only list-5 --target 'https://pets.example/v1?a=b&c' --strict --accept-part"},
		{verdict.Passive, "petconform check --target 'https://pets.example/v1?a=b&c' --strict --accept-part"},
		{verdict.Phase, "petconform load --target 'https://pets.example/v1?a=b&c' --strict --accept-part"},
	} {
		if got := strings.Join(Check(res, verdict.Check{ID: "list-5", Kind: row.kind}), " "); got != row.want {
			t.Errorf("%s: %s; %s is wanted", row.kind, got, row.want)
		}
	}
}

// TestNames: a rule is run again with the checks that sent what broke it, one for each operation and status. What has to
// succeed needs animals of each kind.
func TestNames(t *testing.T) {
	const ofEachKind = " animals"
	refused := []verdict.Finding{{Cases: []verdict.Case{{Wanted: []int{404}, Status: 200}}}}
	several := func(statuses ...int) []verdict.Finding {
		var f verdict.Finding
		for i, status := range statuses {
			sender := []string{"list-created", "get-unknown", "create-names", "list-all"}[i]
			f.Cases = append(f.Cases, verdict.Case{Sender: sender, Status: status})
		}
		return []verdict.Finding{f}
	}
	res := verdict.Results{Checks: []verdict.Check{{ID: "explore", Kind: verdict.Active, Exchanges: []int{7, 8}},
		{ID: "list-all", Kind: verdict.Active, Exchanges: []int{7}}, {ID: "bare-array", Kind: verdict.Passive, Exchanges: []int{9}}}}
	sentBy := func(check string, exchanges ...int) []verdict.Finding {
		return []verdict.Finding{{Cases: []verdict.Case{{Sender: check, Exchanges: exchanges}}}}
	}
	for _, row := range []struct {
		check verdict.Check
		want  string
	}{
		{verdict.Check{ID: "create-id", Kind: verdict.Active, Findings: sentBy("create-id")}, "create-id" + ofEachKind},
		{verdict.Check{ID: "bare-array", Kind: verdict.Passive, Findings: sentBy("list-created")}, "bare-array list-created" + ofEachKind},
		{verdict.Check{ID: "get-unknown", Kind: verdict.Active, Findings: several(200)}, "get-unknown" + ofEachKind},
		{verdict.Check{ID: "get-unknown", Kind: verdict.Active, Findings: refused}, "get-unknown"},
		{verdict.Check{ID: "bare-array", Kind: verdict.Passive, Findings: sentBy("explore", 7)}, "bare-array list-all" + ofEachKind},
		{verdict.Check{ID: "bare-array", Kind: verdict.Passive, Findings: sentBy("explore", 8)}, "bare-array explore" + ofEachKind},
		{verdict.Check{ID: "error-body", Kind: verdict.Passive, Findings: several(401, 404, 404, 429)}, "error-body list-created get-unknown"},
		{verdict.Check{ID: "allowance-limit", Kind: verdict.Passive, Findings: several(429)}, ""},
		{verdict.Check{ID: "bare-array", Kind: verdict.Passive, Findings: sentBy("preflight", 9)}, ""},
		{verdict.Check{ID: "load-free-fill", Kind: verdict.Phase}, ""},
	} {
		if got := strings.Join(only(res, row.check), " "); got != row.want {
			t.Errorf("%s: %q; %q is wanted", row.check.ID, got, row.want)
		}
	}
}

// TestPhase: a phase is run again on its plan, on a target whose minute is as long.
func TestPhase(t *testing.T) {
	r := sample.Load("Free", "Enterprise")
	r.MinuteS = 4
	run := sample.Good().With(r)
	for id, want := range map[string]string{
		"load-free-fill":       "petconform load --plan Free --phase fill --minute 4s --target https://staging.pets.example/v1 --accept-part",
		"load-enterprise-fill": "petconform load --plan Enterprise --phase fill --per-minute 60 --per-day 1000 --minute 4s --target https://staging.pets.example/v1 --accept-part",
	} {
		for _, run.Results.Kind = range []string{"signoff", "load"} {
			if got := strings.Join(Check(run.Results, verdict.Check{ID: id, Kind: verdict.Phase}), " "); got != want {
				t.Errorf("%s: %s\n%s is wanted", run.Results.Kind, got, want)
			}
		}
	}
	ruled := verdict.Check{ID: "error-media-type", Kind: verdict.Passive, Findings: []verdict.Finding{{Requirement: "ERROR-1", Cases: []verdict.Case{{Sender: "load-free-overload"}}}}}
	run.Results.Checks = append(run.Results.Checks, verdict.Check{ID: "load-free-overload", Kind: verdict.Phase})
	const want = "petconform load --plan Free --phase overload --minute 4s --target https://staging.pets.example/v1 --accept-part"
	if got := strings.Join(Check(run.Results, ruled), " "); got != want {
		t.Errorf("%s\n%s is wanted", got, want)
	}
	const all = "petconform load --plan Free --minute 4s --target https://staging.pets.example/v1 --accept-part"
	for _, judge := range []record.Phase{record.Headers, record.Recover} {
		ruled.ID, ruled.Kind = record.CheckID("Free", judge), verdict.Phase
		if got := strings.Join(Check(run.Results, ruled), " "); got != all {
			t.Errorf("%s is judged of what all phases sent: %s\n%s is wanted", judge, got, all)
		}
	}
	ruled.ID, ruled.Kind = "error-media-type", verdict.Passive
	run.Results.Kind, ruled.Findings = "load", nil
	const whole = "petconform load --plan Free --plan Enterprise --per-minute 60 --per-day 1000 --minute 4s --target https://staging.pets.example/v1 --accept-part"
	if got := strings.Join(Check(run.Results, ruled), " "); got != whole {
		t.Errorf("%s\n%s is wanted", got, whole)
	}
}
