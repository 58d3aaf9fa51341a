package main

import (
	"io"
	"os"
	"strings"

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

// keyless writes what does not have a key, and takes keys out of the rest.
type keyless struct {
	io.Writer
	keys *exchange.Redactor
}

// withoutKeys returns streams on which no key of the environment is printed.
func (s streams) withoutKeys() streams {
	if keys := keysOfEnvironment(); keys != nil {
		return streams{keyless{s.out, keys}, keyless{s.err, keys}}
	}
	return s
}

// Write writes p without keys. A key in two pieces is not found; commands write whole lines.
func (k keyless) Write(p []byte) (int, error) {
	clean, _ := k.keys.Redact(p)
	if _, err := k.Writer.Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}
