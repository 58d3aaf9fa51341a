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

// KeyOf returns the SHA-256, in hexadecimal, of the public key in a signature by ssh-keygen, so that one key under two names is
// recognised. The format is OpenSSH's PROTOCOL.sshsig: a magic, a version and the key. Anything else is an error.
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

// PublicKeyDigest returns the SHA-256, in hexadecimal, of the public key in a PEM file. It is an error if the file is not PEM.
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
