package main

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"petconform/spec/exchange"
)

// flagsToRepeat returns the flags with the tag repeat that the command line or a file sets: those that a later run against
// the same target, or of the same client, needs too. None of them has a secret.
func flagsToRepeat(ctx *kong.Context) []exchange.Flag {
	var flags []exchange.Flag
	for _, flag := range ctx.Flags() {
		given := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag })
		if given && flag.Tag.Has("repeat") && !flag.Target.IsZero() {
			flags = append(flags, eachValue(flag)...)
		}
	}
	return flags
}

// eachValue returns a flag once for each of its values.
func eachValue(flag *kong.Flag) []exchange.Flag {
	values := []string{fmt.Sprint(flag.Target.Interface())}
	if many, ok := flag.Target.Interface().([]string); ok {
		values = many
	} else if flag.IsBool() {
		values = []string{""}
	}
	if flag.Name == "header" {
		values = headersToRepeat(values)
	}
	var all []exchange.Flag
	for _, v := range values {
		all = append(all, exchange.Flag{Name: flag.Name, Value: v})
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
