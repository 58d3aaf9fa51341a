package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"petconform": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			code := run(ctx, os.Args[1:], streams{os.Stdout, os.Stderr})
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts runs the command line as a user would. Each script has a reference service at $TARGET with the key $KEY, one
// that deviates at $DEVIANT, and nothing at $NOBODY.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata"),
		Setup: func(env *testscript.Env) error {
			key := reference.RandomKey("script", spec.Business)
			serve := func(deviations ...string) (string, error) {
				service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
				if err != nil {
					return "", err
				}
				server := httptest.NewServer(service)
				env.Defer(func() {
					server.Close()
					_ = service.Close()
				})
				return server.URL + "/v1", nil
			}
			target, err := serve()
			if err != nil {
				return err
			}
			deviant, err := serve("limit-defaults-to-10")
			if err != nil {
				return err
			}
			nobody := httptest.NewServer(nil)
			nobody.Close()
			env.Setenv("TARGET", target)
			env.Setenv("DEVIANT", deviant)
			env.Setenv("NOBODY", nobody.URL+"/v1")
			env.Setenv("KEY", key.Secret.Reveal())
			env.Setenv("NO_COLOR", "1")
			return os.WriteFile(filepath.Join(env.WorkDir, "key.txt"), []byte(key.Secret.Reveal()+"\n"), 0o600)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "nokey": noKey,
		},
	})
}

// exits runs petconform and wants an exit code: exits 3 check --target …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGUMENT…")
	}
	err := ts.Exec("petconform", args[1:]...)
	code := "0"
	var exit interface{ ExitCode() int }
	if err != nil {
		e, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("petconform did not end by itself: %v", err)
		}
		exit = e
		code = string(rune('0' + exit.ExitCode()))
	}
	if code != args[0] {
		ts.Fatalf("exit code %s is wanted, %s came", args[0], code)
	}
}

// noKey wants no file of a folder to hold the key, in any encoding.
func noKey(ts *testscript.TestScript, _ bool, args []string) {
	keys := exchange.NewRedactor(exchange.NewSecret(ts.Getenv("KEY")))
	for _, dir := range args {
		entries, err := os.ReadDir(ts.MkAbs(dir))
		ts.Check(err)
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(ts.MkAbs(dir), e.Name()))
			ts.Check(err)
			if keys.Found(data) {
				ts.Fatalf("the key stands in %s", e.Name())
			}
		}
	}
}
