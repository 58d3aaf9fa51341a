package spending

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"petconform/spec/bounded"
)

// stale is the age from which another process may take a lease over: 2 minutes. A running process renews it every 30 s,
// so its process has ended.
const stale = 2 * time.Minute

// lease is a file that exists while a process uses the key. Two processes with one key would exceed its plan and risk a
// ban.
type lease struct {
	path string
	stop chan struct{}
	kept sync.WaitGroup
}

type holder struct {
	Process int       `json:"process"`
	Renewed time.Time `json:"renewed"`
}

// takeLease creates the lease. It replaces a stale one, and returns an error if another process has the lease.
func takeLease(path string, now time.Time) (*lease, error) {
	l := &lease{path: path, stop: make(chan struct{})}
	for range 2 {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			err = errors.Join(json.NewEncoder(f).Encode(holder{os.Getpid(), now}), f.Close())
			l.kept.Go(l.keep)
			return l, err
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("the key's lease: %w", err)
		}
		var h holder
		data, err := bounded.ReadFile(path, bounded.Small)
		if err == nil && json.Unmarshal(data, &h) == nil && now.Sub(h.Renewed) < stale {
			return nil, fmt.Errorf("process %d uses the same key since before %s (%s); wait for its end or use another key: "+
				"both would spend the same allowance", h.Process, h.Renewed.Format(time.TimeOnly), path)
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the key's lease: %w", err)
		}
	}
	return nil, fmt.Errorf("another process is taking the key's lease %s", path)
}

// keep renews the lease until release, also while the run waits.
func (l *lease) keep() {
	tick := time.NewTicker(stale / 4)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			if data, err := json.Marshal(holder{os.Getpid(), now}); err == nil {
				_ = os.WriteFile(l.path, data, 0o600)
			}
		case <-l.stop:
			return
		}
	}
}

func (l *lease) release() error {
	close(l.stop)
	l.kept.Wait()
	return os.Remove(l.path)
}
