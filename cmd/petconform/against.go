package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
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

// againstKey is the variable that has the key of the second target, unless petconform.yaml names another.
const againstKey = "PETCONFORM_KEY_AGAINST"

// second is the target that a run is compared with.
type second struct {
	targetFlags
	target *target
	key    exchange.Secret
	// category is a categoryId that exists on it; 0 means one that its listing shows.
	category int64
}

// openSecond opens the target of --against. Its headers, certificates and so on come from petconform.yaml, since the
// flags belong to the first target.
func (c *checkRun) openSecond(ctx context.Context, std streams, against string, file *settings.File) (*second, error) {
	if c.Target == "" {
		return nil, usage("--against compares two targets; name the first one with --target")
	}
	s := &second{targetFlags: targetFlags{Target: against, Timeout: c.Timeout, compared: true}, category: c.CategoryID}
	if err := s.find(file); err != nil {
		return nil, usage("--against: %w", err)
	}
	if c.targetFlags.same(s.targetFlags) {
		return nil, usage("--against %s is the same target as --target; name another deployment", against)
	}
	if c.named != nil {
		s.category = 0
	}
	if s.named != nil {
		if err := s.fromFile(); err != nil {
			return nil, usage("--against: %w", err)
		}
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

// same reports whether two targets are one: they have the same address and, if both are named in petconform.yaml, the
// same name. Two named targets with one address may differ in their headers.
func (f targetFlags) same(other targetFlags) bool {
	at := spelling(f.Target)
	return at != "" && at == spelling(other.Target) && (f.named == nil || other.named == nil || f.named.Name == other.named.Name)
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

// fromFile sets the flags that say how to reach the target from the file, as kong does for the first target.
func (s *second) fromFile() error {
	var of struct {
		reachFlags
		CategoryID int64 `name:"category-id"`
	}
	parser, err := kong.New(&of, kong.Resolvers(s.named))
	if err == nil {
		_, err = parser.Parse(nil)
	}
	s.reachFlags = of.reachFlags
	if of.CategoryID != 0 {
		s.category = of.CategoryID
	}
	known.variables = append(known.variables, settings.Variables(s.Header...)...)
	return err
}

// environment names the target in the report: by the flag, or by its name in petconform.yaml.
func (f targetFlags) environment(given string) string {
	if given == "" && f.named != nil {
		return f.named.Name
	}
	return given
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
	cfg.Way, cfg.Access = s.target.way, s.target.access
	cfg.Run, cfg.CategoryID, cfg.Environment, cfg.Build = check.NewName(), s.category, s.environment(""), ""
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
