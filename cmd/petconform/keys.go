package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"petconform/reports/safe"
	"petconform/spec/exchange"
)

// secretsKnown are the secrets of the environment: the keys, and the values that the file of settings and --header refer to.
type secretsKnown struct {
	mu    sync.Mutex
	named []string
	// addresses are those of targets. What a key has in common with one is no secret.
	addresses []string
}

var known secretsKnown

// variables adds names of variables with secrets.
func (k *secretsKnown) variables(names ...string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.named = append(k.named, names...)
}

// address adds the address of a target.
func (k *secretsKnown) address(of string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Contains(k.addresses, of) {
		k.addresses = append(k.addresses, of)
	}
}

// all returns every secret: the values of PETCONFORM_KEY… and of the variables that were added.
func (k *secretsKnown) all() []exchange.Secret {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []exchange.Secret
	add := func(value string) {
		if s := exchange.NewSecret(value); !s.IsZero() {
			all = append(all, s)
		}
	}
	for _, v := range os.Environ() {
		if name, key, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PETCONFORM_KEY") {
			add(key)
		}
	}
	for _, name := range k.named {
		add(os.Getenv(name))
	}
	return all
}

// keysOfEnvironment returns a Redactor of every secret of the environment, or nil if there is none. Commands that read files of
// other people search them for these secrets.
func keysOfEnvironment() *exchange.Redactor {
	keys := known.all()
	if len(keys) == 0 {
		return nil
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	return exchange.NewRedactor(keys...).Sparing(known.addresses...)
}

// safeWriter writes untrusted text to a terminal: without escape sequences, and without keys of the environment.
type safeWriter struct {
	to   io.Writer
	keys *exchange.Redactor
}

// safe returns streams for text that may come from elsewhere.
func (s streams) safe() streams {
	keys := keysOfEnvironment()
	return streams{safeWriter{s.out, keys}, safeWriter{s.err, keys}}
}

// Write writes p. It does not find a key or a sequence that is split between two calls; commands write whole lines.
func (s safeWriter) Write(p []byte) (int, error) {
	clean, _ := s.keys.Redact(p)
	if _, err := (safe.Writer{W: s.to}).Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}
