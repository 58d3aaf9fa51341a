package page_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"hash/crc32"
	"image/png"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"

	"petconform/reports/internal/test/sample"
)

var update = flag.Bool("update", false, "take the picture of README.md anew")

const (
	picture = "../report.png"
	// across is what the page's list of sections needs.
	across = 1140
	// mostBytes keeps the clone small, and README.md quick to load.
	mostBytes = 100_000
	// ihdr is the length of a PNG's signature and its first chunk, after which a text may stand.
	ihdr = 33
)

// TestPicture holds the picture of a report's first screen that README.md shows. Pixels differ from one machine's fonts to
// the next, so the picture carries the words that it shows, and those are compared.
func TestPicture(t *testing.T) {
	b := open(t, source(t, sample.New().With(sample.Load("Free"))), look{width: across, height: 700})
	words := eval[string](t, b, `[...document.querySelectorAll("header, nav, .word, #identity")].map(e => e.innerText).join("\n")`)
	if *update {
		bottom := eval[float64](t, b, `document.getElementById("identity").getBoundingClientRect().bottom + 16`)
		clip := &page.Viewport{Width: across, Height: bottom, Scale: 1}
		shot := call(t, b, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: clip})
		noError(t, os.WriteFile(picture, slices.Insert(shot.Data, ihdr, textChunk(words)...), 0o600))
	}
	data, err := os.ReadFile(picture)
	noError(t, err)
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != across || len(data) >= mostBytes {
		t.Errorf("%s: %d bytes, %d pixels wide, %v; fewer than %d bytes and %d pixels are wanted", picture, len(data), size.Width, err, mostBytes, across)
	}
	if !bytes.Contains(data, textChunk(words)) {
		t.Errorf("%s is not the first screen of the report, which says\n%s\nrun go test ./reports/page -run TestPicture -update", picture, words)
	}
}

// textChunk returns PNG's chunk of international text, not compressed, in no stated language.
func textChunk(text string) []byte {
	body := append([]byte("iTXtDescription\x00\x00\x00\x00\x00"), text...)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body)-len("iTXt"))), body...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
}
