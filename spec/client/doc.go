// Package client sends requests to a target and records each exchange. It paces itself by the X-RateLimit headers and
// sends nothing after a 429 until Retry-After has passed. The API key is added to a request after it is recorded.
package client
