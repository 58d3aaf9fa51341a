// Package exchange is what went over the wire, as a value: one request and its answer, with times and without keys.
// A recording is a file of them, and everything that is judged is judged from them.
package exchange
