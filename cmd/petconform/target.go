package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
	"petconform/spec/bounded"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// targetFlags name the service under test and its key.
type targetFlags struct {
	Target  string        `help:"Base address of the service, ending in /v1, or the name of a target in petconform.yaml. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Address string        `arg:"" optional:"" name:"url" help:"The same as --target."`
	KeyFile string        `help:"File with the API key. Default: the key in PETCONFORM_KEY." placeholder:"FILE" predictor:"file"`
	Timeout time.Duration `help:"Maximum time for one request and its response." default:"30s"`
	MaxWait span          `help:"Maximum length of one wait for the target's allowance and, in check, of all outages together. Default: 5m; in load, 10 of the target's minutes." placeholder:"TIME"`

	reachFlags

	// named is the target of the file of settings that --target names; nil if it is an address.
	named *settings.Target
	// flags are those that a later run against the same target needs too.
	flags []exchange.Flag
	// compared is true for the second target of a comparison, which has its own key variable.
	compared bool
	// own is the reference service that the check and the load of a sign-off share when there is no target.
	own *ownTarget
}

// keyVariable is the environment variable that has the key of a target.
const keyVariable = "PETCONFORM_KEY"

// AfterApply takes the target from the argument, which wins over the environment as a flag does, and the address of a named one from
// the file of settings.
func (f *targetFlags) AfterApply(ctx *kong.Context, file *settings.File) error {
	switch {
	case f.Address == "" || f.Address == f.Target:
	case f.Target != "" && f.Target != os.Getenv(settings.TargetVariable):
		return fmt.Errorf("two targets are given, %s and --target %s", f.Address, f.Target)
	default:
		f.Target = f.Address
	}
	known.variables = append(known.variables, settings.Variables(f.Header...)...)
	f.flags = flagsToRepeat(ctx, file, toRepeat)
	return f.find(file)
}

// find replaces the name of a target by its address.
func (f *targetFlags) find(file *settings.File) (err error) {
	if settings.IsName(f.Target) {
		if f.named, err = file.Named(f.Target); err != nil {
			return err
		}
		address, err := f.address().Expand(os.LookupEnv)
		if err != nil {
			return err
		}
		f.Target = address[0]
	}
	known.addresses = append(known.addresses, f.Target)
	return nil
}

// address is what the file of settings says of the address of a named target.
func (f targetFlags) address() settings.Setting {
	s, _ := f.named.Setting("target")
	return s
}

// variable returns the name of the variable that has a key: the usual one, unless the file of settings names another.
func (f targetFlags) variable(usual string) string {
	if f.named != nil {
		if s, ok := f.named.Setting(usual); ok {
			return s.Values[0]
		}
	}
	if f.compared && usual == keyVariable {
		return againstKey
	}
	return usual
}

// target is the service under test.
type target struct {
	reached
	key       exchange.Secret
	transport http.RoundTripper
	reference bool
	close     func()
}

// open returns the target with its key. If no target is given, it starts the reference service on loopback.
func (f targetFlags) open(ctx context.Context) (target, error) {
	if f.Timeout <= 0 {
		return target{}, usage("--timeout is %s; use a time above 0", f.Timeout)
	}
	close := func() {}
	if f.Target == "" {
		var err error
		if err = f.refuseAlone(); err == nil && f.own == nil {
			close, err = f.startOwn(ctx, reference.Config{}, nil)
		}
		if err != nil {
			return target{}, err
		}
		transport := guarded{client.NewTransport(client.DefaultConnections)}
		return target{reached: reached{base: f.own.base}, key: f.own.keys[keyVariable], transport: transport, reference: true, close: close}, nil
	}
	r, err := f.reach()
	if err != nil {
		return target{}, err
	}
	key, err := f.key(keyVariable)
	if err != nil {
		return target{}, err
	}
	if key.IsZero() {
		return target{}, f.noKey()
	}
	return target{reached: r, key: key, transport: r.connect(), close: close}, nil
}

// reach returns how to reach the target, which is not the built-in reference service.
func (f targetFlags) reach() (reached, error) {
	base, err := client.ParseBase(f.Target)
	if err != nil {
		if f.named != nil {
			return reached{}, usage("%s: %w", f.address().Where, err)
		}
		return reached{}, usage("%w", err)
	}
	r, err := f.to(base)
	r.access = f.access()
	return r, err
}

// key reads a key from --key-file if that is given, else from an environment variable.
func (f targetFlags) key(variable string) (exchange.Secret, error) {
	if f.own != nil {
		return f.own.keys[variable], nil
	}
	from := f.variable(variable)
	key := exchange.NewSecret(os.Getenv(from))
	if f.KeyFile != "" {
		data, err := bounded.ReadFile(f.KeyFile, bounded.Small) // a pipe like <(…) gives its key once, and some commands read it again
		if err != nil {
			return key, usage("--key-file: %w; a key that is not in a file can come from %s", err, from)
		}
		key, from = exchange.NewSecret(string(data)), "--key-file "+f.KeyFile
		if key.IsZero() {
			return key, usage("%s: the file is empty; put the API key into it", from)
		}
	}
	if err := key.Validate(); err != nil {
		return key, usage("%s: %w", from, err)
	}
	return key, nil
}

// noKey returns an error that says where the key has to be. --key-file has the key of the first target only.
func (f targetFlags) noKey() error {
	if f.compared {
		return usage("no API key is given for --against: put the key into %s", f.variable(keyVariable))
	}
	return usage("no API key is given: put the key into %s, or into a file that --key-file names", f.variable(keyVariable))
}

// withoutFile returns f without --key-file, to read a key that only the environment has.
func (f targetFlags) withoutFile() targetFlags {
	f.KeyFile = ""
	return f
}
