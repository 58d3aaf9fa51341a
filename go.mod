module petconform

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0 // the command line
	github.com/chromedp/cdproto v0.159.0 // tests: what a browser is told, such as its width and dark mode
	github.com/chromedp/chromedp v0.22.0 // tests: the report in a browser
	github.com/getkin/kin-openapi v0.152.0 // the OpenAPI document, and what it says of every response
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // strict JSON: refuses what encoding/json takes, such as a name twice
	github.com/gofrs/flock v0.13.1 // one process at a time in a folder, and on a key
	github.com/joshdk/go-junit v1.0.0 // tests: junit.xml as a consumer reads it
	github.com/mtibben/confusables v0.0.0-20210201002637-9d1b0723b659 // letters that look alike in two names, by Unicode's table of 2020
	github.com/onsi/ginkgo/v2 v2.34.0 // selects, runs and reports the checks
	github.com/onsi/gomega v1.44.0 // compares
	github.com/rivo/uniseg v0.4.7 // how wide a text is on a terminal
	github.com/rogpeppe/go-internal v1.16.0 // tests: the command line by testscript
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests: our results pass their published schema; kin-openapi is built on it
	github.com/tsenart/vegeta/v12 v12.13.0 // sends load
	go.yaml.in/yaml/v3 v3.0.6 // the ledger, waivers and settings, with the lines for errors
	golang.org/x/net v0.56.0 // valid names and values of headers; a limit of connections; tests: HTML
	golang.org/x/sync v0.21.0 // the keys of a load side by side
	golang.org/x/term v0.47.0 // whether a writer is a terminal
	golang.org/x/text v0.38.0 // whether two names read alike
)

require (
	github.com/Masterminds/semver/v3 v3.4.0 // indirect
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/go-task/slim-sprig/v3 v3.0.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/google/pprof v0.0.0-20260402051712-545e8a4df936 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
	github.com/josharian/intern v1.0.0 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	github.com/oasdiff/yaml v0.1.1 // indirect
	github.com/oasdiff/yaml3 v0.0.14 // indirect
	github.com/rs/dnscache v0.0.0-20230804202142-fc85eb664529 // indirect
	golang.org/x/mod v0.36.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.45.0 // indirect
)
