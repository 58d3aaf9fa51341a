// Package clients judges the clients of the interface. A Watcher is a handler in front of the reference service. It
// records each request as the service saw it, without its key. Judge is a pure function of that recording: what the
// interface asks of clients, the requirements CLIENT-1 and following of the ledger, is told like the requirements of a
// service.
//
// A service cannot see everything of a client. Where a lawful client may have sent what is in the recording, Judge
// accuses nobody: the requirement is inconclusive, or the request is left out.
package clients
