package main

import (
	"os"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/spec/exchange"
)

// secretsKnown are the secrets of the environment: the keys, and the variables that --header refers to.
type secretsKnown struct {
	variables []string
	// addresses are those of targets. What a key has in common with one is no secret.
	addresses []string
}

var known secretsKnown

// all returns every secret: the values of PETCONFORM_KEY… and of the variables that were added.
func (k *secretsKnown) all() []exchange.Secret {
	names := slices.Clone(k.variables)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, keyVariable) {
			names = append(names, name)
		}
	}
	var all []exchange.Secret
	for _, name := range names {
		if s := exchange.NewSecret(os.Getenv(name)); !s.IsZero() {
			all = append(all, s)
		}
	}
	return all
}

// keysOfEnvironment returns a Redactor of every secret of the environment, or nil if there is none. Commands that read
// files of other people search them for these secrets.
func keysOfEnvironment() *exchange.Redactor {
	keys := known.all()
	if len(keys) == 0 {
		return nil
	}
	return exchange.NewRedactor(keys...).Sparing(known.addresses...)
}

// safe returns streams for text that may come from elsewhere.
func (s streams) safe() streams {
	keys := keysOfEnvironment()
	return streams{terminal.Safe{To: s.out, Keys: keys}, terminal.Safe{To: s.err, Keys: keys}, s.lines}
}
