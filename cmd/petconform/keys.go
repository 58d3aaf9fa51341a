package main

import (
	"io"
	"os"
	"strings"

	"petconform/reports/plain"
	"petconform/spec/exchange"
)

// keysOfEnvironment knows every key in a variable PETCONFORM_KEY…; it is nil if there is none. Commands that read files look for
// these keys, since a file may be anyone's.
func keysOfEnvironment() *exchange.Redactor {
	var keys []exchange.Secret
	for _, v := range os.Environ() {
		name, key, _ := strings.Cut(v, "=")
		if secret := exchange.NewSecret(key); strings.HasPrefix(name, "PETCONFORM_KEY") && !secret.IsZero() {
			keys = append(keys, secret)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return exchange.NewRedactor(keys...)
}

// safeWriter writes text that may come from elsewhere: nothing in it acts on a terminal, and no key of the environment stands in it.
type safeWriter struct {
	to   io.Writer
	keys *exchange.Redactor
}

// safe returns streams for text that may come from elsewhere.
func (s streams) safe() streams {
	keys := keysOfEnvironment()
	return streams{safeWriter{s.out, keys}, safeWriter{s.err, keys}}
}

// Write writes p. A key or a sequence in two pieces is not found; commands write whole lines.
func (s safeWriter) Write(p []byte) (int, error) {
	clean, _ := s.keys.Redact(p)
	if _, err := (plain.Writer{W: s.to}).Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}
