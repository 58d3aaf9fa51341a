package page

import (
	"crypto/sha256"
	"encoding/hex"
	"petconform/spec"
	"regexp"
)

// Most is how large a page may grow before its bodies move beside it; larger ones are slow to open.
const Most = 5 << 20

// bodyKept is the longest body that stays in the page even then: naming its file would take as much room.
const bodyKept = 256

// Body is a body that lies beside the page, whole, under a name that is made of its digest: the same body is there once,
// and nobody can change it under its name unseen. It is text to whoever opens it, whatever a target has sent.
type Body struct {
	Name, Digest string
	Data         []byte
}

var bodyName = regexp.MustCompile(`^bodies/[0-9a-f]{64}\.txt$`)

// IsBody says whether a name is one that a body has beside a page.
func IsBody(name string) bool { return bodyName.MatchString(name) }

// move puts a body beside the page.
func (v *view) move(data []byte) Body {
	sum := digest(data)
	b, there := v.beside[sum]
	if !there {
		b = Body{"bodies/" + sum + ".txt", sum, data}
		v.beside[sum] = b
	}
	return b
}

// Moved counts the bodies beside the page, in words; nothing while all stay.
func (v *view) Moved() string {
	switch n := len(v.beside); n {
	case 0:
		return ""
	case 1:
		return "1 body"
	default:
		return spec.Number(n) + " bodies"
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
