package clients

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/strictjson"
)

// valuesOf are the values of a query parameter.
func valuesOf(x history.Exchange, name string) []string {
	_, query, _ := strings.Cut(x.Request.Path, "?")
	values, _ := url.ParseQuery(query) // it returns what it can read
	return values[name]
}

// parameter judges every value of a query parameter of listPets.
func parameter(s *story, id spec.ID, name, expected string, lawful func(string) bool) reading {
	has := func(x history.Exchange) bool { return x.Operation == spec.ListPets && len(valuesOf(x, name)) > 0 }
	return s.each(id, "the "+name+" of a listing", has, func(x history.Exchange) (string, string) {
		for _, v := range valuesOf(x, name) {
			if !lawful(v) {
				return expected, name + "=" + history.Clip(v, 60)
			}
		}
		return "", ""
	})
}

func limitInRange(s *story) reading {
	expected := fmt.Sprintf("an integer from %d to %d, or no limit", spec.MinLimit, spec.MaxLimit)
	return parameter(s, "CLIENT-8", "limit", expected, func(v string) bool {
		n, err := strconv.Atoi(v)
		return err == nil && n >= spec.MinLimit && n <= spec.MaxLimit
	})
}

func statusKnown(s *story) reading {
	return parameter(s, "CLIENT-9", "status", "available, pending or sold, or no filter", func(v string) bool { return spec.PetStatus(v).Valid() })
}

// sentAsJSON reads the bodies; a request without one is bodyIsNewPet's.
func sentAsJSON(s *story) reading {
	withBody := func(x history.Exchange) bool { return x.Operation == spec.CreatePet && len(x.Request.Body) > 0 }
	return s.each("CLIENT-10", "the media type of a NewPet", withBody, func(x history.Exchange) (string, string) {
		field := x.Request.Header.Get("Content-Type")
		if field == "" {
			return "Content-Type: application/json", "no Content-Type"
		}
		if t, _, err := mime.ParseMediaType(field); err != nil || t != "application/json" {
			return "Content-Type: application/json", "Content-Type: " + history.Clip(field, 80)
		}
		return "", ""
	})
}

// bodyIsNewPet reads the bodies that were received whole. It accepts what the interface leaves open: members that NewPet does not have, a status that is null, 7.0 and 1e2.
func bodyIsNewPet(s *story) reading {
	var left []history.Exchange
	whole := func(x history.Exchange) bool {
		if x.Operation == spec.CreatePet && x.Request.Incomplete != "" {
			left = append(left, x)
		}
		return x.Operation == spec.CreatePet && x.Request.Incomplete == ""
	}
	r := s.each("CLIENT-11", "the body of createPet", whole, func(x history.Exchange) (string, string) {
		return "a NewPet: name (string), categoryId (int64), and perhaps status (available, pending, sold)", wrongIn(x.Request.Body)
	})
	if len(left) > 0 {
		r.left = fmt.Sprintf("%s not judged: %s (exchange %d)", spec.Count(len(left), "request"), left[0].Request.Incomplete, left[0].N)
	}
	return r
}

// wrongIn says why a body is not a NewPet; "" if it is one.
func wrongIn(body []byte) string {
	if len(body) == 0 {
		return "no body"
	}
	v, err := strictjson.Parse(body)
	if err != nil {
		return "not JSON: " + err.Error()
	}
	if v.Kind != strictjson.Object {
		return "JSON that is not an object"
	}
	if name, has := v.Member("name"); !has || name.Kind != strictjson.String {
		return wrongMember("name", "a string", has)
	}
	category, has := v.Member("categoryId")
	if _, ok := wholeNumber(category); !has || !ok {
		return wrongMember("categoryId", "an int64", has)
	}
	status, has := v.Member("status")
	if has && status.Kind != strictjson.Null && (status.Kind != strictjson.String || !spec.PetStatus(status.Text).Valid()) {
		return wrongMember("status", "available, pending or sold", has)
	}
	return ""
}

func wrongMember(name, wanted string, has bool) string {
	if !has {
		return "no " + name
	}
	return "a " + name + " that is not " + wanted
}

func petIDIsInt64(s *story) reading {
	return s.each("CLIENT-12", "a petId", of(spec.GetPet), func(x history.Exchange) (string, string) {
		id := askedID(x)
		if _, err := strconv.ParseInt(id, 10, 64); err == nil || s.rounded(x) != "" {
			return "", ""
		}
		return "an int64", "the petId " + history.Clip(id, 60)
	})
}

// askedID is the petId of a call of getPet.
func askedID(x history.Exchange) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(x.Request.Path, "/pets/"), "?")
	if id, err := url.PathUnescape(path); err == nil {
		return id
	}
	return path
}

// getPetUnused reads getPet and its replacement.
func getPetUnused(s *story) reading {
	asks := func(x history.Exchange) bool { return x.Operation == spec.GetPet || x.Operation == spec.ListPets }
	return s.each("CLIENT-14", "getPet is deprecated and is removed on "+spec.Removal.Format("2 January 2006"), asks, func(x history.Exchange) (string, string) {
		if x.Operation == spec.ListPets {
			return "", ""
		}
		return "its replacement: GET /pets with the status filter", "getPet"
	})
}

// operationElsewhere is the path of an operation below another base address, or below a second v1.
var operationElsewhere = regexp.MustCompile(`^(?:/\.\.(?:/[^/]+)*|/v1)/(?:pets(?:/[^/]+)?|store/orders)$`)

// slashes are slashes too many, as of a base address and a path that were joined with a slash between them.
var slashes = regexp.MustCompile(`/{2,}`)

// meansOperation reports whether a request of no operation would be one at an address below the base, or with fewer slashes.
func meansOperation(method, path string) bool {
	plain := strings.TrimSuffix(slashes.ReplaceAllString(path, "/"), "/")
	asked := method == http.MethodGet || method == http.MethodPost
	return asked && operationElsewhere.MatchString(plain) || spec.OperationOf(method, plain) != spec.Elsewhere
}

// belowBase reads the calls, and the requests that would be calls below the base address. Other paths and methods are no operations.
func belowBase(s *story) reading {
	r := reading{of: len(s.calls)}
	for _, x := range s.others {
		path, _, _ := strings.Cut(x.Request.Path, "?")
		if !meansOperation(x.Request.Method, path) {
			continue
		}
		r.of++
		whole := strings.TrimPrefix(path, "/..")
		if whole == path {
			whole = "/v1" + path
		}
		r.broken = append(r.broken, finding("CLIENT-15", x, "an operation at another address", "a path below the base address, like /v1/pets", history.Clip(whole, 120)))
	}
	return r
}

// freedomsMet lists the lawful variants that the client met. Only the client's own tests can show how it handled them.
func freedomsMet(s *story) reading {
	if len(s.calls) == 0 || len(s.settings.Freedoms) == 0 {
		return reading{of: len(s.calls), idle: "the service had no freedom switched on"}
	}
	return reading{of: len(s.calls), observed: observe("CLIENT-16", "freedoms",
		fmt.Sprintf("%s; %s of operations", strings.Join(s.settings.Freedoms, ", "), spec.Count(len(s.calls), "request")))}
}
