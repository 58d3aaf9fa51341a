package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// junitElement is what junit-10.xsd of Jenkins' xunit-plugin allows in an element. Attributes are strings, except for the time of a
// suite. Children may come in any order and number. Only an element with Text has text other than space.
type junitElement struct {
	required, optional, children string
	text                         bool
}

// junitSchema is the part of junit-10.xsd that petconform needs: of reruns, which it never writes, it has nothing.
var junitSchema = map[string]junitElement{
	"":           {children: "testsuites"},
	"testsuites": {optional: "name time tests failures errors", children: "testsuite"}, // skipped is for a suite alone
	"testsuite": {required: "name tests failures errors", optional: "group time skipped timestamp hostname id package file log url version",
		children: "testsuite properties testcase system-out system-err"},
	"properties": {children: "property"},
	"property":   {required: "name value"},
	"testcase":   {required: "name", optional: "time classname group", children: "skipped error failure system-out system-err"},
	"failure":    {optional: "type message", text: true},
	"error":      {optional: "type message", text: true},
	"skipped":    {optional: "type message", text: true},
	"system-out": {text: true},
	"system-err": {text: true},
}

// suiteTime is a number of seconds with up to three decimals. The schema also allows commas between thousands.
var suiteTime = regexp.MustCompile(`^[0-9]+(\.[0-9]{1,3})?$`)

// junitError returns what in a junit.xml is not as Jenkins' schema wants it.
func junitError(data []byte) error {
	var wrong []error
	says := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	path := []string{""}
	for in := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return errors.Join(wrong...)
		} else if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		parent := junitSchema[path[len(path)-1]]
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			if x.Name.Space != "" || !slices.Contains(strings.Fields(parent.children), name) {
				says("%s has no element %s", strings.Join(path, "/"), name)
			}
			path = append(path, name)
			missing := strings.Fields(junitSchema[name].required)
			for _, a := range x.Attr {
				missing = slices.DeleteFunc(missing, func(one string) bool { return one == a.Name.Local })
				if a.Name.Space != "" || !slices.Contains(strings.Fields(junitSchema[name].required+" "+junitSchema[name].optional), a.Name.Local) {
					says("%s has no attribute %s", strings.Join(path, "/"), a.Name.Local)
				}
				if name != "testcase" && a.Name.Local == "time" && !suiteTime.MatchString(a.Value) {
					says("%s has the time %q", strings.Join(path, "/"), a.Value)
				}
			}
			for _, a := range missing {
				says("%s needs the attribute %s", strings.Join(path, "/"), a)
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if !parent.text && len(bytes.TrimSpace(x)) > 0 {
				says("%s has no text: %q", strings.Join(path, "/"), x)
			}
		}
	}
}

// TestJUnitSchema: the rules that says holds each junit.xml to, of checks, loads, parts and runs without a verdict, find what the
// schema refuses.
func TestJUnitSchema(t *testing.T) {
	const suite = `<testsuite name="s" tests="1" failures="0" errors="0"`
	for document, says := range map[string]string{
		`<testsuites name="a" tests="1" failures="0" errors="0" time="1.5">` + suite + ` skipped="0" time="1234.567" timestamp="t"><properties><property name="a" value="b"></property></properties>` +
			`<testcase name="a" classname="b" time="0.001"><failure type="a" message="b">text</failure><system-out>text</system-out></testcase></testsuite></testsuites>`: "",
		`<testsuites skipped="0"></testsuites>`:                                                 "/testsuites has no attribute skipped",
		`<testsuites time="1.2345"></testsuites>`:                                               `has the time "1.2345"`,
		`<testsuites><testsuite name="s" tests="1" failures="0"></testsuite></testsuites>`:      "needs the attribute errors",
		`<testsuites>` + suite + `><testcase name="a">text</testcase></testsuite></testsuites>`: "has no text",
	} {
		err := junitError([]byte(document))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: the error is %v; %q is wanted", document, err, says)
		}
	}
}
