package page

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
)

// TestBodiesBeside: where the page would be too large, long bodies lie beside it, whole, once, under their digests; short
// ones stay. Where it would not, they are cut, with their size and digest.
func TestBodiesBeside(t *testing.T) {
	const checks, length = 60, 4000
	run := sample.Heavy(checks, length)
	last := run.Recording.Exchanges[len(run.Recording.Exchanges)-2].Response
	run.Recording.Exchanges[len(run.Recording.Exchanges)-4].Response.Body = last.Body // two checks with the same answer
	s := Source{Results: run.Results, Recording: run.Recording, ResultsDigest: strings.Repeat("01234567", 8)}
	whole, beside, err := Render(s)
	if err != nil || len(beside) > 0 {
		t.Fatalf("%d bodies beside a page of %d bytes, %v; none is wanted up to %d", len(beside), len(whole), err, Most)
	}
	for _, want := range []string{"the first 1,500 bytes of 4,0", "SHA-256 of the whole body: " + digest(last.Body)} {
		if !bytes.Contains(whole, []byte(want)) {
			t.Errorf("%q is not in the page", want)
		}
	}
	s.Most = len(whole) - 1
	small, beside, err := Render(s)
	if err != nil || len(beside) != checks-1 || len(whole)-len(small) < checks*(bodyShown-500) {
		t.Fatalf("%d bodies beside a page of %d bytes that had %d, %v", len(beside), len(small), len(whole), err)
	}
	for _, b := range beside {
		if !IsBody(b.Name) || digest(b.Data) != b.Digest || len(b.Data) < length || !strings.Contains(b.Name, b.Digest) {
			t.Errorf("%s: %d bytes with the digest %s", b.Name, len(b.Data), digest(b.Data))
		}
		if !bytes.Contains(small, []byte(`href="`+b.Name+`"`)) || !bytes.Contains(small, []byte("bytes, SHA-256 "+b.Digest)) {
			t.Errorf("%s is not linked with its digest", b.Name)
		}
	}
	if !bytes.Contains(small, []byte("59 bodies of its exchanges are in the folder")) || !bytes.Contains(small, []byte(`{"name":"pc-r-7f3a-34","categoryId":1}`)) {
		t.Error("the page does not say where its bodies are, or a short one did not stay")
	}
	for _, name := range []string{"bodies/x.txt", "../bodies/" + beside[0].Digest + ".txt", "bodies/" + beside[0].Digest + ".html", beside[0].Name + "\n"} {
		if IsBody(name) {
			t.Errorf("%q was taken for a body", name)
		}
	}
}
