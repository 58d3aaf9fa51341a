package signoff

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// KeyOf gives the digest of the public key that a signature by ssh-keygen carries, so that one key under two names is seen to
// be one. The layout is that of OpenSSH's PROTOCOL.sshsig: the magic, a version, then the key.
func KeyOf(signature []byte) (string, error) {
	block, _ := pem.Decode(signature)
	const head = len("SSHSIG") + 4
	if block == nil || block.Type != "SSH SIGNATURE" || len(block.Bytes) < head+4 {
		return "", errors.New("not a signature by ssh-keygen")
	}
	rest := block.Bytes[head:]
	n := binary.BigEndian.Uint32(rest)
	if uint64(n) > uint64(len(rest)-4) {
		return "", errors.New("the signature is cut off within its public key")
	}
	return digestOf(rest[4 : 4+n]), nil
}

// PublicKeyDigest gives the digest of the public key in a PEM file.
func PublicKeyDigest(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return "", fmt.Errorf("%s is not a public key in PEM", name)
	}
	return digestOf(block.Bytes), nil
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
