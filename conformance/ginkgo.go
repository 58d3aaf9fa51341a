package conformance

import (
	"io"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
)

// RunSuite runs the suite by Ginkgo in this process, outside of go test. Ginkgo's own lines go to out; io.Discard keeps
// them from mixing with the caller's. It may be called again, after it has returned.
func RunSuite(s *Suite, sel Selection, out io.Writer) bool {
	globals.Reset()
	before := formatter.ColorableStdOut
	formatter.ColorableStdOut = out
	defer func() { formatter.ColorableStdOut = before }()
	ginkgo.Describe("petconform", func() { s.Define(sel) })
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomSeed, suite.RandomizeAllSpecs = 1, false
	reporter.NoColor, reporter.Succinct = true, true
	return ginkgo.RunSpecs(&outcome{}, "petconform", suite, reporter)
}

// outcome stands in for testing.T, of which Ginkgo wants no more than this.
type outcome struct{ failed bool }

func (o *outcome) Fail() { o.failed = true }
