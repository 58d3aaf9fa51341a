// Package client sends requests to a target and records each exchange. It spends the target's allowance with care: it paces
// itself by the X-RateLimit headers, obeys Retry-After, and never answers a 429 with an early request. The key is added
// below what is recorded. It does not judge.
package client
