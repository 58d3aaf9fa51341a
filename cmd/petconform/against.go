package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"petconform/cmd/petconform/settings"
	"petconform/conformance"
	"petconform/conformance/check"
	"petconform/conformance/drive"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// againstKey is the variable that has the key of the second target, unless petconform.yaml names another.
const againstKey = "PETCONFORM_KEY_AGAINST"

// second is the target that a run is compared with.
type second struct {
	targetFlags
	target target
	// category is a categoryId that exists on it; 0 means one that its listing shows.
	category int64
}

// openSecond opens the target of --against. Its headers, certificates and so on come from petconform.yaml, since the flags belong
// to the first target.
func (c *checkCommand) openSecond(ctx context.Context, std streams, against string, file *configuration) (*second, error) {
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
	if s.target, err = s.open(ctx); err != nil {
		return nil, err
	}
	return s, s.waitReady(ctx, std)
}

// same reports whether two targets are one: they have the same address and, if both are named in petconform.yaml, the same name.
// Two named targets with one address may differ in their headers.
func (f targetFlags) same(other targetFlags) bool {
	if f.named != nil && other.named != nil && f.named.target.Name != other.named.target.Name {
		return false
	}
	a, err := client.ParseBase(f.Target)
	if err != nil {
		return false // open says what is wrong with it
	}
	b, err := client.ParseBase(other.Target)
	return err == nil && spelling(a) == spelling(b)
}

// spelling returns an address in a canonical form: with the port, with the host in lower case, and with 127.0.0.1 for localhost
// and ::1.
func spelling(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	if host == "localhost" || host == "::1" {
		host = "127.0.0.1"
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port) + u.EscapedPath()
}

// fromFile sets the flags that say how to reach the target from the file.
func (s *second) fromFile() error {
	var wrong error
	values := func(flag string) []string {
		setting, ok := s.named.file.Setting(s.named.target, flag)
		if !ok || wrong != nil {
			return nil
		}
		all, err := setting.Expand(os.LookupEnv)
		wrong = err
		return all
	}
	value := func(flag string) string {
		for _, v := range values(flag) {
			return v
		}
		return ""
	}
	s.Header, s.Resolve = values("header"), values("resolve")
	s.CACert, s.Cert, s.CertKey = value("ca-cert"), value("cert"), value("cert-key")
	if v := value("wait-ready"); v != "" {
		d, _ := time.ParseDuration(v) // Expand has checked it
		s.WaitReady = span(d)
	}
	if v := value("category-id"); v != "" {
		s.category, _ = strconv.ParseInt(v, 10, 64)
	}
	known.variables(settings.Variables(s.Header...)...)
	return wrong
}

// environment names the target in the report: by the flag, or by its name in petconform.yaml.
func (f targetFlags) environment(given string) string {
	if given == "" && f.named != nil {
		return f.named.target.Name
	}
	return given
}

// compare sends the same requests to the second target, and adds the comparison to the results.
func (s *second) compare(ctx context.Context, std streams, dir string, cfg conformance.Config, plan drive.Plan, here *exchange.Recording, r verdict.Results) (verdict.Results, error) {
	recording, err := openFolder(dir, reports.AgainstFile)
	if err != nil {
		return r, err
	}
	defer recording.Close()
	p := newProgress(std.err)
	cfg.Base, cfg.Key, cfg.Transport, cfg.Secrets = s.target.base, s.target.key, s.target.transport, s.target.secrets
	cfg.Way, cfg.Access = s.target.way, s.target.access
	cfg.Run, cfg.CategoryID, cfg.Environment, cfg.Build = check.NewName(), s.category, s.environment(""), ""
	cfg.Recording, cfg.Progress, cfg.Reached = recording, p.event, nil
	p.start(s.target, cfg, plan)
	there, stopped := drive.Send(ctx, cfg, plan.Judged...)
	p.end()
	if there == nil {
		return r, noVerdict(stopped)
	}
	if err := recording.Sync(); err != nil {
		return r, noVerdict(fmt.Errorf("the recording could not be written: %w", err))
	}
	return compare.Targets(r, here, there), nil
}
