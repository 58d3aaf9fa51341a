package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lister": lister,
		"petconform": func() {
			a := newApp(os.Stdout, os.Stderr)
			ctx := interruptible()
			a.stage = plantedBy(ctx, os.Getenv("PLANT"))
			code := a.commandLine(ctx, os.Args[1:])
			tellPeak()
			os.Exit(code)
		},
	})
}

// TestScripts runs the command line as a user would, with the services of each script; see services.
func TestScripts(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	defer all.Wait()
	testscript.RunT(together{t, &all}, testscript.Params{
		Dir:   "testdata",
		Setup: services,
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return long.Wanted(), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "says": says, "unsent": unsent, "uses": uses, "narrow": narrow, "coloured": coloured, "nokey": noKey, "readme": readme, "signs": signs,
		},
	})
}

// services starts what a script talks to: a reference service at $TARGET with the key $KEY, which is in key.txt too; one that lists the
// newest animals first at $LAWFUL; one whose listings have at most 10 animals without a limit at $DEVIANT, and all at $UNLIMITED; one
// whose getPet misses an animal now and then at $SOMETIMES; and one with 150 animals with random ids at $FILLED, for which filled.yaml has waivers. At $MANY and at $MANY_AGAIN one has the eight keys of
// keys.txt, and minutes of two seconds; at $CARELESS it carries out a createPet that it refuses with 429. $NOBODY is nothing,
// $PLAIN_TO_TLS and $TLS_TO_PLAIN have the wrong scheme, and $SILENT answers nothing.
func services(env *testscript.Env) error {
	key := reference.RandomKey("script", spec.Business)
	all := map[string]reference.Config{"TARGET": {}, "DEVIANT": {Deviations: []string{"limit-defaults-to-10"}},
		"SOMETIMES": {Deviations: []string{"get-every-third-unknown"}},
		"UNLIMITED": {Deviations: []string{"limit-defaults-to-none"}}, "LAWFUL": {Freedoms: []string{"newest-first"}},
		"FILLED": {Seed: 150, Freedoms: []string{"ids-random"}}, "MANY": {Minute: 2 * time.Second}, "MANY_AGAIN": {Minute: 2 * time.Second},
		"CARELESS": {Minute: 2 * time.Second, Deviations: []string{"refused-create-done"}}}
	var many []reference.Key
	var file strings.Builder
	for i := range 8 {
		k := reference.Key{Name: fmt.Sprint(i), Secret: exchange.NewSecret(fmt.Sprintf("pet-key-of-line-%d-0123456789", i)), Plan: spec.Free}
		many = append(many, k)
		fmt.Fprintf(&file, "Free %s\n", k.Secret.Reveal())
	}
	for name, cfg := range all {
		cfg.Keys = []reference.Key{key}
		if cfg.Minute > 0 {
			cfg.Keys, cfg.Day = many, time.Hour
		}
		service, err := reference.New(cfg)
		if err != nil {
			return err
		}
		server := httptest.NewServer(service)
		env.Defer(server.Close)
		env.Setenv(name, server.URL+"/v1")
	}
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	env.Defer(secure.Close)
	env.Defer(mute.Close)
	env.Setenv("PLAIN_TO_TLS", "http://"+secure.Listener.Addr().String()+"/v1")
	env.Setenv("TLS_TO_PLAIN", strings.Replace(env.Getenv("TARGET"), "http:", "https:", 1))
	env.Setenv("SILENT", mute.URL+"/v1")
	env.Setenv("NOBODY", "http://127.0.0.1:1/v1") // another test may get any port that was free a moment ago
	env.Setenv("KEY", key.Secret.Reveal())
	env.Setenv("NO_COLOR", "1")
	var wrong error
	for name, text := range map[string]string{"keys.txt": file.String(), "key.txt": key.Secret.Reveal() + "\n", "filled.yaml": waivers()} {
		wrong = errors.Join(wrong, os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o600))
	}
	return wrong
}

// together runs all scripts at the same time, whatever -parallel is: they wait more than they compute, and Ginkgo, which some of
// the tests run in this process, refuses a -parallel of its own.
type together struct {
	*testing.T
	all *sync.WaitGroup
}

func (together) Parallel()     {}
func (together) Verbose() bool { return testing.Verbose() }

func (r together) Run(name string, script func(testscript.T)) {
	r.all.Go(func() { r.T.Run(name, func(t *testing.T) { script(together{t, r.all}) }) })
}

// exits runs petconform and wants an exit code: exits 3 check --target …
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code, exit := 0, (*exec.ExitError)(nil)
	if err := ts.Exec("petconform", args[1:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("petconform did not end by itself: %v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %s is wanted, %d came", args[0], code)
	}
}

// noKey wants no file of a folder to hold a key of the script, plain or coded: neither $KEY nor one of keys.txt.
func noKey(ts *testscript.TestScript, _ bool, args []string) {
	secrets := []exchange.Secret{exchange.NewSecret(ts.Getenv("KEY"))}
	for line := range strings.Lines(ts.ReadFile("keys.txt")) {
		secrets = append(secrets, exchange.NewSecret(strings.Fields(line)[1]))
	}
	keys := exchange.NewRedactor(secrets...)
	for _, dir := range args {
		looked := 0
		eachFile(ts, ts.MkAbs(dir), func(name string, data []byte) {
			looked++
			if reports.KeyIn(keys, name, data) { // a list of numbers in a JSON document is no key
				ts.Fatalf("a key stands in %s", name)
			}
		})
		if looked < 5 {
			ts.Fatalf("%s holds %d files; a report and a recording at least are wanted", dir, looked)
		}
	}
}

// waivers are of what can't be told in a store with 100 animals or more. They are in force today.
func waivers() (text string) {
	today := time.Now().UTC()
	for i, id := range []string{"LIST-11", "CREATE-12", "AUTH-6"} {
		text += fmt.Sprintf("  - {id: W-%d, requirement: %s, reason: a, risk: b, ticket: c, owner: d, approver: e, from: %s, ends: %s}\n", i+1, id,
			today.AddDate(0, 0, -1).Format(time.DateOnly), today.AddDate(0, 0, 30).Format(time.DateOnly))
	}
	return text
}
