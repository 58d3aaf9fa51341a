package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/spec/exchange"
)

// noKeys wants a file without $KEY in any form.
func noKeys(ts *testscript.TestScript, neg bool, args []string) {
	found := exchange.NewRedactor(exchange.NewSecret(ts.Getenv("KEY"))).Found([]byte(ts.ReadFile(args[0])))
	if found != neg {
		ts.Fatalf("the key stands in %s: %t", args[0], found)
	}
}

// plantKey copies a recording with $KEY in each response: plantkey FROM TO.
func plantKey(ts *testscript.TestScript, _ bool, args []string) {
	planted := strings.ReplaceAll(ts.ReadFile(args[0]), `"proto":"HTTP/1.1","header":{`, `"proto":"HTTP/1.1","header":{"X-Echo":["`+ts.Getenv("KEY")+`"],`)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(planted), 0o600))
}
