package main

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
	"petconform/spec/exchange"
)

// toRepeat are the flags that a later run against the same target needs too. It reads the settings in a file again.
var toRepeat = []string{"key-file", "header", "ca-cert", "cert", "cert-key", "resolve", "category-id", "read-only"}

// clientToRepeat are the flags that give a client the same service again.
var clientToRepeat = []string{"minute", "day", "per-minute", "per-day", "animals", "freedom", "plain", "as-of",
	"clients", "require", "strict"}

// flagsToRepeat returns the flags with these names that are set. None of them has a secret.
func flagsToRepeat(ctx *kong.Context, file *settings.File, names []string) []exchange.Flag {
	var flags []exchange.Flag
	if file.Given {
		flags = append(flags, exchange.Flag{Name: "config", Value: file.Name})
	}
	for _, flag := range ctx.Flags() {
		if slices.Contains(names, flag.Name) && !flag.Target.IsZero() {
			given := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag && !p.Resolved })
			if _, inFile := file.From[flag.Name]; inFile || given {
				flags = append(flags, valuesOf(flag, !given)...)
			}
		}
	}
	return flags
}

// valuesOf returns a flag once for each of its values.
func valuesOf(flag *kong.Flag, inFile bool) []exchange.Flag {
	values := []string{fmt.Sprint(flag.Target.Interface())}
	if many, ok := flag.Target.Interface().([]string); ok {
		values = many
	} else if flag.IsBool() {
		values = []string{""}
	}
	if flag.Name == "header" {
		values = settings.HeadersToRepeat(values)
	}
	var all []exchange.Flag
	for _, v := range values {
		all = append(all, exchange.Flag{Name: flag.Name, Value: v, InFile: inFile})
	}
	return all
}

// refuseKeys returns an error if a key is in a text about the target that goes into the recording: the address, the
// flags, or texts for the report.
func (f targetFlags) refuseKeys(keys *exchange.Redactor, texts ...string) error {
	keys = keys.Sparing(f.Target)
	for _, flag := range f.flags {
		texts = append(texts, flag.Value)
	}
	for _, text := range append(texts, f.Target) {
		if keys.Found([]byte(text)) {
			return usage("an API key is in the target's address or in a flag that is copied into the report, like --build; remove it")
		}
	}
	return nil
}

// access is what a command line needs to reach the target again; nil if that is its address alone.
func (f targetFlags) access() *exchange.Access {
	a := exchange.Access{Flags: f.flags}
	if f.named != nil {
		a.Name = f.named.Name
	}
	if key := f.variable(keyVariable); key != keyVariable {
		a.Key = key
	}
	if a.Name == "" && a.Key == "" && len(a.Flags) == 0 {
		return nil
	}
	return &a
}
