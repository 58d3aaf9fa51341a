package load

import (
	"testing"

	"petconform/spec"
	"petconform/spec/verdict"
)

// TestABanThatEndsConforms checks that a run with a ban key conforms on a lawful target: the ban key runs only its own phase, and
// nothing else is missed.
func TestABanThatEndsConforms(t *testing.T) {
	res, _ := scene{change: func(c *Config) {
		c.ProvokeBan, c.BanKey = true, PlanKey{Plan: spec.Free, Key: keyOf("ban")}
	}}.play(t)
	if res.Verdict != verdict.Conforms || !passed(res, "RATE-16") {
		wrong(t, res, "a ban that ends is lawful; got %s", res.Verdict)
	}
}
