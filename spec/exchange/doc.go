// Package exchange defines an exchange, one request and its response with their times and without keys, and a
// recording, a file of exchanges. All judging reads exchanges and nothing else.
package exchange
