package sender

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// The comparison with vegeta runs the service and each sender as a separate process, so that their CPU times are apart. Each is this
// test binary; the environment says what it is.
const (
	envRole   = "PETCONFORM_TEST_ROLE"
	envTarget = "PETCONFORM_TEST_TARGET"
	envFile   = "PETCONFORM_TEST_FILE"
	envRate   = "PETCONFORM_TEST_RATE"
	envFor    = "PETCONFORM_TEST_FOR"
)

// roles are what this binary can be other than a test.
var roles = map[string]func() error{"service": service, "petconform": sendOurs, "library": sendLibrary}

func TestMain(m *testing.M) {
	role, ok := roles[os.Getenv(envRole)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := role(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// service answers as the adoption service does. It prints its address and ends with its standard input. /served returns the number of
// requests that it has answered.
func service() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var served atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/served", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, served.Load()) })
	mux.HandleFunc("/v1/pets", func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		answer(w, r)
	})
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return (&http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}).Serve(listener)
}

// workers is the largest number of requests that each contestant has in flight.
const workers = 16

// told reads a contestant's environment: requests a second, 0 for as fast as responses come, how long, and the file for the results.
func told() (rate int, span time.Duration, file *os.File, err error) {
	if rate, err = strconv.Atoi(os.Getenv(envRate)); err != nil {
		return 0, 0, nil, err
	}
	if span, err = time.ParseDuration(os.Getenv(envFor)); err != nil {
		return 0, 0, nil, err
	}
	file, err = os.Create(os.Getenv(envFile))
	return rate, span, file, err
}

// sendOurs sends as a load run does: with both keys removed from responses and a recording.
func sendOurs() error {
	rate, span, file, err := told()
	if err != nil {
		return err
	}
	rec := &record.Recording{Meta: exchange.Meta{Started: time.Now(), Target: os.Getenv(envTarget)}, Lanes: []record.Lane{{Plan: "Free"}}}
	w, err := record.NewWriter(file, rec)
	if err != nil {
		return err
	}
	debug.SetGCPercent(record.GCPercent)
	own, other := exchange.NewSecret(key), exchange.NewSecret("other-"+key)
	c := record.NewCollector(rec, w)
	s := &Sender{Base: os.Getenv(envTarget), Key: own, Clean: exchange.NewRedactor(own, other), Transport: client.NewTransport(64),
		Timeout: 30 * time.Second, UserAgent: "test", Clock: NewClock(rec.Meta.Started, nil, c.Note), Collector: c}
	a := Attack{Phase: record.Under, Round: 1, Next: lists, Workers: workers}
	if rate > 0 {
		a.Interval = time.Second / time.Duration(rate)
	}
	ctx, cancel := context.WithTimeout(context.Background(), span)
	defer cancel()
	_, err = runOf(s, ctx, a)
	return errors.Join(err, file.Close())
}

// sendLibrary is vegeta's attack over our transport, with its results kept as its own command keeps them.
func sendLibrary() error {
	rate, span, file, err := told()
	if err != nil {
		return err
	}
	a := vegeta.NewAttacker(vegeta.Client(&http.Client{Transport: client.NewTransport(64), Timeout: 30 * time.Second}),
		vegeta.Workers(8), vegeta.MaxWorkers(workers))
	target := vegeta.NewStaticTargeter(vegeta.Target{Method: "GET", URL: os.Getenv(envTarget) + "/pets", Header: sent()})
	encode := vegeta.NewEncoder(file)
	for res := range a.Attack(target, vegeta.ConstantPacer{Freq: rate, Per: time.Second}, span, "") {
		if err := encode(res); err != nil {
			return err
		}
	}
	return file.Close()
}

// sent are the headers that our sender sends, so that every contestant sends the same.
func sent() http.Header {
	return http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"test"}, "Authorization": {"Bearer " + key}}
}

// commandLine is vegeta's own command for the same.
func commandLine(rate int, span time.Duration, file string) []string {
	args := []string{"attack", "-prometheus-addr", "", "-output", file, "-rate", strconv.Itoa(rate), "-duration", span.String(),
		"-workers", "8", "-max-workers", strconv.Itoa(workers), "-connections", "64", "-max-connections", "64"}
	for name, values := range sent() {
		args = append(args, "-header", name+": "+strings.Join(values, ", "))
	}
	return args
}

// firstLine reads the address that the service prints.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(r).ReadString('\n')
	return strings.TrimSpace(line), err
}
