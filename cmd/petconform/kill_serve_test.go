package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec"
)

// TestKilledServe kills the reference service twenty times while animals are added: each one that was acknowledged is there
// afterwards.
func TestKilledServe(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty processes")
	}
	t.Parallel()
	dir := t.TempDir()
	const key = "pet-key-of-serve-0123456789"
	var mu sync.Mutex
	acknowledged := map[int64]string{}
	for range 20 {
		base, stop := startServe(t, dir, key)
		var all sync.WaitGroup
		var done atomic.Bool
		for range 4 {
			all.Go(func() {
				for !done.Load() {
					id, name := addAnimal(base, key)
					if name == "" {
						return
					}
					mu.Lock()
					acknowledged[id] = name
					mu.Unlock()
				}
			})
		}
		time.Sleep(40 * time.Millisecond)
		stop()
		done.Store(true)
		all.Wait()
	}
	base, stop := startServe(t, dir, key)
	defer stop()
	for id, name := range acknowledged {
		if p := fetchAnimal(t, base, key, id); p.Name != name {
			t.Errorf("the animal %d, %s, was acknowledged; getPet shows %+v", id, name, p)
		}
	}
	t.Logf("%d animals were acknowledged", len(acknowledged))
	if len(acknowledged) < 100 {
		t.Errorf("only %d animals were acknowledged; that is no test", len(acknowledged))
	}
}

// startServe starts petconform serve on a database, and returns its base address and what kills it.
func startServe(t *testing.T, dir, key string) (base string, kill func()) {
	t.Helper()
	cmd := command([]string{"PETCONFORM_KEY_ENTERPRISE=" + key}, os.Args[0], "serve", "--listen", "127.0.0.1:0", "--db", "pets.db", "--log", "off",
		"--per-minute", "1000000", "--per-day", "100000000")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 200)
	n, err := out.Read(line)
	base, found := strings.CutPrefix(strings.SplitN(string(line[:n]), "\n", 2)[0], "export PETCONFORM_TARGET=")
	if err != nil || !found {
		t.Fatalf("serve says %q, %v: %s", line[:n], err, &said)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return base, func() {
		_ = cmd.Process.Kill()
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
	}
}

var animalNumber atomic.Int64

// addAnimal creates an animal; its name is "" where it was not acknowledged.
func addAnimal(base, key string) (id int64, name string) {
	name = fmt.Sprintf("animal %d", animalNumber.Add(1))
	resp, err := request(http.MethodPost, base+"/pets", key, fmt.Sprintf(`{"name":%q,"categoryId":1}`, name))
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	var p spec.Pet
	if resp.StatusCode != http.StatusCreated || json.NewDecoder(resp.Body).Decode(&p) != nil {
		return 0, ""
	}
	return p.ID, name
}

func fetchAnimal(t *testing.T, base, key string, id int64) (p spec.Pet) {
	t.Helper()
	resp, err := request(http.MethodGet, fmt.Sprintf("%s/pets/%d", base, id), key, "")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		t.Errorf("the animal %d: %v", id, err)
	}
	return p
}

func request(method, url, key, body string) (*http.Response, error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(req)
}
