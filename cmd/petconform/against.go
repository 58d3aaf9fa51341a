package main

import (
	"context"
	"fmt"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance"
	"petconform/conformance/check"
	"petconform/conformance/drive"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// againstKey is the variable that has the key of the second target.
const againstKey = "PETCONFORM_KEY_AGAINST"

// second is the target that a run is compared with.
type second struct {
	targetFlags
	target *target
	key    exchange.Secret
	// category is a categoryId that exists on it; 0 means one that its listing shows.
	category int64
}

// openSecond opens the target of --against. It is reached without headers and certificates, since the flags belong to the
// first target.
func (c *checkRun) openSecond(ctx context.Context, std streams, against string) (*second, error) {
	if c.Target == "" {
		return nil, usage("--against compares two targets; name the first one with --target")
	}
	s := &second{targetFlags: targetFlags{Target: against, Timeout: c.Timeout, compared: true}, category: c.CategoryID}
	known.addresses = append(known.addresses, against)
	if c.targetFlags.same(s.targetFlags) {
		return nil, usage("--against %s is the same target as --target; name another deployment", against)
	}
	var err error
	if s.target, err = s.open(ctx, reference.Config{}, nil); err != nil {
		return nil, err
	}
	if s.key, err = s.mainKey(s.target); err != nil {
		return nil, err
	}
	return s, s.waitReady(ctx, std, s.target)
}

// same reports whether two targets have the same address.
func (f targetFlags) same(other targetFlags) bool {
	at := spelling(f.Target)
	return at != "" && at == spelling(other.Target)
}

// spelling returns an address in a canonical form: with the port, with the host in lower case, and with 127.0.0.1 for
// localhost and ::1; "" for text that is no address.
func spelling(address string) string {
	u, err := client.ParseBase(address)
	if err != nil {
		return "" // open says what is wrong with it
	}
	host, port, _ := strings.Cut(strings.Replace(strings.ToLower(hostPort(u)), "[::1]", "localhost", 1), ":")
	if host == "localhost" {
		host = "127.0.0.1"
	}
	return u.Scheme + "://" + host + ":" + port + u.EscapedPath()
}

// compare sends the same requests to the second target, and adds the comparison to the results.
func (s *second) compare(ctx context.Context, std streams, dir string, cfg conformance.Config, plan drive.Plan,
	here *exchange.Recording, r verdict.Results) (verdict.Results, error) {
	recording, err := newRecording(dir, reports.AgainstFile, reports.OpenFolder)
	if err != nil {
		return r, err
	}
	defer recording.Close()
	p := terminal.NewProgress(std.err)
	cfg.Deep, cfg.Fitted = here.Meta.Deep, false // as large as the run that it is compared with
	cfg.Base, cfg.Key, cfg.Transport, cfg.Secrets = s.target.base, s.key, s.target.connect(), s.target.secrets
	cfg.Way, cfg.Flags = s.target.way, s.target.flags
	cfg.Run, cfg.CategoryID, cfg.Environment, cfg.Build = check.NewName(), s.category, "", ""
	cfg.Recording, cfg.Progress, cfg.Reached = recording, p.Event, nil
	p.Start(cfg, plan)
	there, stopped := drive.Send(ctx, cfg, plan.Judged...)
	p.End()
	if there == nil {
		return r, noVerdict(stopped)
	}
	if err := recording.Sync(); err != nil {
		return r, noVerdict(fmt.Errorf("the recording could not be written: %w", err))
	}
	return compare.Targets(r, here, there), nil
}
