package settings

import _ "embed"

// Example is a commented file of settings to begin with.
//
//go:embed petconform.yaml
var Example []byte
