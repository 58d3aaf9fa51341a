package main

import (
	"os"
	"slices"
	"strings"

	"petconform/spec/exchange"
)

// secrets returns every secret of the environment: the keys, and the variables that --header refers to.
func (a *app) secrets() []exchange.Secret {
	names := slices.Clone(a.variables)
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

// keys returns a Redactor of every secret of the environment, or nil if there is none. Commands that read files of other
// people search them for these secrets.
func (a *app) keys() *exchange.Redactor {
	keys := a.secrets()
	if len(keys) == 0 {
		return nil
	}
	return exchange.NewRedactor(keys...).Sparing(a.addresses...)
}
