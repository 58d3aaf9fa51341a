package conformance

import (
	"io"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
)

// Run runs the suite outside of go test, with a label filter. What Ginkgo prints goes to out.
func (s *Suite) Run(filter string, out io.Writer, verbose bool) bool {
	before := formatter.ColorableStdOut
	formatter.ColorableStdOut = out
	defer func() { formatter.ColorableStdOut = before }()
	return ginkgo.RunSpecs(&outcome{}, "petconform", configuration(filter, verbose)...)
}

func configuration(filter string, verbose bool) []any {
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.LabelFilter, suite.RandomSeed = filter, 1
	reporter.NoColor, reporter.Succinct, reporter.Verbose = true, !verbose, verbose
	return []any{suite, reporter}
}

// outcome is the part of testing.T that Ginkgo needs.
type outcome struct{ failed bool }

func (o *outcome) Fail() { o.failed = true }
