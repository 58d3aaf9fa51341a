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

// junitElement says what junit-10.xsd of Jenkins' xunit-plugin allows in an element. Attributes are strings, except for the time of
// a suite. Children may come in any order and number. Only an element with Text has text other than space.
type junitElement struct {
	required, optional, children []string
	text                         bool
}

// junitSchema is the part of junit-10.xsd that petconform needs: of reruns, which it never writes, it has nothing.
var junitSchema = map[string]junitElement{
	"": {children: []string{"testsuites"}},
	"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, // skipped is for a suite alone
		children: []string{"testsuite"}},
	"testsuite": {required: []string{"name", "tests", "failures", "errors"},
		optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url", "version"},
		children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"}},
	"properties": {children: []string{"property"}},
	"property":   {required: []string{"name", "value"}},
	"testcase": {required: []string{"name"}, optional: []string{"time", "classname", "group"},
		children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"failure":    {optional: []string{"type", "message"}, text: true},
	"error":      {optional: []string{"type", "message"}, text: true},
	"skipped":    {optional: []string{"type", "message"}, text: true},
	"system-out": {text: true},
	"system-err": {text: true},
}

// suiteTime is a number of seconds with up to three decimals. The schema also allows commas between thousands.
var suiteTime = regexp.MustCompile(`^[0-9]+(\.[0-9]{1,3})?$`)

// junitError returns what in a junit.xml is not as Jenkins' schema wants it.
func junitError(data []byte) error {
	var wrong []error
	path := []string{""}
	in := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return errors.Join(wrong...)
		} else if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		parent := path[len(path)-1]
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			if x.Name.Space != "" || !slices.Contains(junitSchema[parent].children, name) {
				wrong = append(wrong, fmt.Errorf("%s has no element %s", strings.Join(path, "/"), name))
			}
			path = append(path, name)
			wrong = append(wrong, attributeErrors(strings.Join(path, "/"), x)...)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if !junitSchema[parent].text && len(bytes.TrimSpace(x)) > 0 {
				wrong = append(wrong, fmt.Errorf("%s has no text: %q", strings.Join(path, "/"), x))
			}
		}
	}
}

func attributeErrors(path string, element xml.StartElement) (wrong []error) {
	name, has := element.Name.Local, map[string]bool{}
	rule := junitSchema[name]
	for _, a := range element.Attr {
		has[a.Name.Local] = true
		if a.Name.Space != "" || !slices.Contains(rule.required, a.Name.Local) && !slices.Contains(rule.optional, a.Name.Local) {
			wrong = append(wrong, fmt.Errorf("%s has no attribute %s", path, a.Name.Local))
		}
		if name != "testcase" && a.Name.Local == "time" && !suiteTime.MatchString(a.Value) {
			wrong = append(wrong, fmt.Errorf("%s has the time %q", path, a.Value))
		}
	}
	for _, a := range rule.required {
		if !has[a] {
			wrong = append(wrong, fmt.Errorf("%s needs the attribute %s", path, a))
		}
	}
	return wrong
}

// TestJUnitSchema: the rules that says holds each junit.xml to, of checks, loads, parts and runs without a verdict, find what the
// schema refuses.
func TestJUnitSchema(t *testing.T) {
	const suite = `<testsuite name="s" tests="1" failures="0" errors="0"`
	for document, says := range map[string]string{
		`<testsuites name="a" tests="1" failures="0" errors="0" time="1.5">` + suite + ` skipped="0" time="1234.567" timestamp="t"><properties><property name="a" value="b"></property></properties>` +
			`<testcase name="a" classname="b" time="0.001"><failure type="a" message="b">text</failure><system-out>text</system-out></testcase></testsuite></testsuites>`: "",
		`<testsuites skipped="0"></testsuites>`:                                                            "/testsuites has no attribute skipped",
		`<testsuites time="1.2345"></testsuites>`:                                                          `has the time "1.2345"`,
		`<testsuites time="1e3"></testsuites>`:                                                             `has the time "1e3"`,
		`<testsuites time="-1"></testsuites>`:                                                              `has the time "-1"`,
		`<testsuites><testcase name="a"></testcase></testsuites>`:                                          "/testsuites has no element testcase",
		`<testsuites><testsuite name="s" tests="1" failures="0"></testsuite></testsuites>`:                 "needs the attribute errors",
		`<testsuites>` + suite + `><testcase></testcase></testsuite></testsuites>`:                         "needs the attribute name",
		`<testsuites>` + suite + `><testcase name="a" status="b"/></testsuite></testsuites>`:               "has no attribute status",
		`<testsuites>` + suite + `><testcase name="a">text</testcase></testsuite></testsuites>`:            "has no text",
		`<testsuites>` + suite + `><properties><property name="a"/></properties></testsuite></testsuites>`: "needs the attribute value",
		`<testsuites xmlns="urn:x"></testsuites>`:                                                          "has no element testsuites",
		`<testsuites>`: "unexpected EOF",
	} {
		err := junitError([]byte(document))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: the error is %v; %q is wanted", document, err, says)
		}
	}
}
