// Package kubernetes holds the manifest that runs a load over several machines.
package kubernetes

import _ "embed"

// Job is an Indexed Job that gives each pod its part of the keys.
//
//go:embed job.yaml
var Job []byte
