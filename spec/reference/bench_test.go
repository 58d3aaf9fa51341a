package reference

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference/internal/behaviour"
)

// The benchmarks compare the service with a bare net/http handler that answers the same bytes. Both take turns, so that a busy
// machine slows both down. ratio is the throughput of the service divided by that of the bare handler.

const (
	connections = 16
	turn        = 50 // requests of a connection before it is the other one's turn
)

func BenchmarkListPets(b *testing.B) {
	cfg := benchConfig()
	cfg.Seed = 100
	s := newService(b, cfg)
	body := ask(b, s, "GET", "/pets?limit=100", "").Body.String()
	against(b, s, 200, body, "GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+testKey+"\r\n\r\n")
}

func BenchmarkCreatePet(b *testing.B) {
	const animal = `{"name":"Bruno","categoryId":3,"status":"available"}`
	request := "POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + testKey +
		"\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(animal)) + "\r\n\r\n" + animal
	against(b, newService(b, benchConfig()), 201, `{"id":1,"name":"Bruno","categoryId":3,"status":"available"}`, request)
}

func benchConfig() Config {
	cfg := testConfig()
	cfg.Now = time.Now
	cfg.Keys[0].Plan = spec.Plan{Name: "Enterprise", PerMinute: 1 << 40, PerDay: 1 << 50}
	return cfg
}

// against measures b.N turns of both handlers.
func against(b *testing.B, s *Service, status int, body, request string) {
	b.Helper()
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", behaviour.MediaJSON)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
	ours, theirs := dialAll(b, s), dialAll(b, bare)
	hit(b, ours, status, request)
	hit(b, theirs, status, request)
	var oursTook, theirsTook time.Duration
	b.ResetTimer()
	for i := range b.N {
		if i%2 == 0 {
			theirsTook += hit(b, theirs, status, request)
			oursTook += hit(b, ours, status, request)
		} else {
			oursTook += hit(b, ours, status, request)
			theirsTook += hit(b, theirs, status, request)
		}
	}
	b.StopTimer()
	requests := float64(b.N * connections * turn)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(requests/theirsTook.Seconds(), "bare/s")
	b.ReportMetric(requests/oursTook.Seconds(), "service/s")
	b.ReportMetric(theirsTook.Seconds()/oursTook.Seconds(), "ratio")
}

// wire is one connection of a minimal client.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialAll(b *testing.B, h http.Handler) []wire {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Shutdown(context.Background()) })
	var all []wire
	for range connections {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		all = append(all, wire{conn, bufio.NewReaderSize(conn, 32<<10)})
	}
	return all
}

// hit sends one turn over every connection at the same time, and returns the time that it took.
func hit(b *testing.B, wires []wire, status int, request string) time.Duration {
	b.Helper()
	began := time.Now()
	var all sync.WaitGroup
	for _, w := range wires {
		all.Go(func() {
			for range turn {
				if err := w.exchange(status, request); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// exchange sends a request and reads its answer to the end.
func (w wire) exchange(status int, request string) error {
	if _, err := io.WriteString(w.conn, request); err != nil {
		return err
	}
	first, err := w.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !strings.Contains(string(first), strconv.Itoa(status)) {
		return fmt.Errorf("want the status %d, got %q", status, first)
	}
	length := 0
	for {
		field, err := w.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(field) <= 2 {
			break
		}
		if name, value, _ := strings.Cut(string(field), ":"); textproto.TrimString(name) == "Content-Length" {
			if length, err = strconv.Atoi(textproto.TrimString(value)); err != nil {
				return err
			}
		}
	}
	_, err = w.in.Discard(length)
	return err
}
