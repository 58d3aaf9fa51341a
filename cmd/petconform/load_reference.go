package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"petconform/load"
	"petconform/spec"
	"petconform/spec/reference"
)

// scaledMinute is how long a minute of the built-in reference service lasts under load, unless --minute says otherwise.
const scaledMinute = 3 * time.Second

func orScaled(minute time.Duration) time.Duration {
	if minute == 0 {
		return scaledMinute
	}
	return minute
}

// referenceUnderLoad starts the reference service with a key for each plan and one beside them.
func referenceUnderLoad(ctx context.Context, cfg *load.Config) (func(), error) {
	cfg.Minute = orScaled(cfg.Minute)
	other := reference.RandomKey("other", spec.Business)
	keys := []reference.Key{other}
	for i := range cfg.Plans {
		k := reference.RandomKey(fmt.Sprintf("%s-%d", strings.ToLower(cfg.Plans[i].Plan.Name), i), cfg.Plans[i].Plan)
		if k.Plan.PerDay == 0 {
			k.Plan.PerDay = 1 << 40
		}
		keys, cfg.Plans[i].Key = append(keys, k), k.Secret
	}
	cfg.OtherKey = other.Secret
	if cfg.ProvokeBan {
		ban := reference.RandomKey("ban", cfg.Plans[0].Plan)
		keys, cfg.BanKey = append(keys, ban), load.PlanKey{Plan: cfg.Plans[0].Plan, Key: ban.Secret}
	}
	base, stop, err := startReference(ctx, reference.Config{Keys: keys, Minute: cfg.Minute, Day: max(cfg.Day, 1440*cfg.Minute)})
	cfg.Base = base
	cfg.Target.Reference = true
	return stop, err
}
