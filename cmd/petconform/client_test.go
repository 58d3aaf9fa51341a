package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec/exchange"
)

// lister is a client that lists as often as its first argument says, waits after a 429, and ends with the exit code in its second.
func lister() {
	times, _ := strconv.Atoi(os.Args[1])
	for range times {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, os.Getenv("PETCONFORM_TARGET")+"/pets?limit=5", nil)
		if err != nil {
			os.Exit(100)
		}
		r.Header.Set("Authorization", "Bearer "+os.Getenv("PETCONFORM_KEY"))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			os.Exit(101)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if wait, ok := exchange.RetryAfter(resp.Header, time.Now()); ok {
			time.Sleep(wait)
		}
	}
	fmt.Println("listed", times)
	if len(os.Args) > 2 {
		code, _ := strconv.Atoi(os.Args[2])
		os.Exit(code)
	}
}

// exported reads the target and the key from what the command prints, and goes on reading.
func exported(t *testing.T, r io.Reader) (target, key string) {
	t.Helper()
	lines := bufio.NewScanner(r)
	for (target == "" || key == "") && lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "export PETCONFORM_TARGET="); ok {
			target = v
		}
		if v, ok := strings.CutPrefix(lines.Text(), "export PETCONFORM_KEY="); ok {
			key = v
		}
	}
	if target == "" || key == "" {
		t.Fatal("the command did not print a target and a key")
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return target, key
}
