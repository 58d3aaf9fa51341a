// Package kubernetes has a manifest that distributes a load run over several machines.
//
// One machine is enough for most runs: a core of a shared virtual machine carried about 1,000 Business keys or 15,000 Free ones at their
// plans' rates, some 16,000 requests a second, with 35 kB of memory for each key and 64 MB for a million requests.
package kubernetes

import _ "embed"

// Job is an Indexed Job that gives each pod its part of the keys.
//
//go:embed job.yaml
var Job []byte
