package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"petconform/spec"
	"petconform/spec/exchange"
)

// ReadKeys reads a file of keys. Each line has a plan and a key. The limits of Enterprise follow its name:
// Enterprise:5000:1000000 has 5,000 requests a minute and 1,000,000 a day. Empty lines and lines that begin with # are
// ignored. Reports name a key by its line. An error about a line has its number. No error has a key.
func ReadKeys(file string) (keys []PlanKey, err error) {
	n := 0
	for text := range strings.Lines(file) {
		fields := strings.Fields(text)
		if n++; len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d has %s; write a plan and a key", n, spec.Count(len(fields), "word"))
		}
		plan, err := readPlan(fields[0])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		keys = append(keys, PlanKey{Plan: plan, Key: exchange.NewSecret(fields[1]),
			Label: fmt.Sprintf("%s, line %d", plan.Name, n)})
	}
	if len(keys) == 0 {
		return nil, errors.New("no key; write one a line, after its plan")
	}
	return keys, nil
}

func readPlan(text string) (spec.Plan, error) {
	name, limits, own := strings.Cut(text, ":")
	plan, ok := spec.PlanNamed(name)
	if !ok {
		// The word may be a key, so it is not printed.
		return plan, errors.New("the first word is not a plan; use Free, Pro, Business or Enterprise")
	}
	if own {
		_, err := fmt.Sscanf(limits+"\n", "%d:%d\n", &plan.PerMinute, &plan.PerDay)
		if err != nil || plan.PerMinute < 0 || plan.PerDay < 0 {
			return plan, errors.New("the plan has other than two numbers; write PLAN:PER-MINUTE:PER-DAY, in whole numbers")
		}
	}
	return plan, nil
}

// ParseShard parses --shard: "i/n" with i from 0. It returns 0 and 0 for "", which means one process.
func ParseShard(text string) (i, n int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	if _, err := fmt.Sscanf(text+"\n", "%d/%d\n", &i, &n); err != nil || i < 0 || i >= n {
		return 0, 0, fmt.Errorf("--shard %q: write INDEX/COUNT with the index from 0, like 0/4", text)
	}
	return i, n, nil
}

// keyLock returns the lock of a key at a target, for what it is used: an empty file, which stays, and which a killed process
// leaves behind unlocked. dir is Config.LockDir. 48 bits of a digest distinguish the keys of a run of many thousand.
func keyLock(dir, use, target string, key exchange.Secret) *flock.Flock {
	dir = cmp.Or(dir, filepath.Join(os.TempDir(), fmt.Sprintf("petconform-%d", os.Getuid())))
	sum := sha256.Sum256([]byte("petconform key\x00" + target + "\x00" + key.Reveal()))
	return flock.New(filepath.Join(dir, use+"-"+hex.EncodeToString(sum[:6])))
}

// lockKey takes the lock of a key that is loaded. It is held by one process of this machine: two would spend one allowance,
// and risk a ban.
func lockKey(dir, target string, key exchange.Secret) (*flock.Flock, error) {
	l := keyLock(dir, "key", target, key)
	if err := os.MkdirAll(filepath.Dir(l.Path()), 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the keys' locks: %w; name one that can be written to in TMPDIR", err)
	}
	switch locked, err := l.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("the key's lock: %w", err)
	case !locked:
		return nil, fmt.Errorf("another process of petconform loads the same key (%s); wait for its end, or use "+
			"another key: both would spend the same allowance", l.Path())
	}
	return l, nil
}
