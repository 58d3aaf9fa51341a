package record

import (
	"net/http"
	"strconv"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Result returns vegeta's Result of a record, whose Seq is the number of the record, without the body and the
// headers. From these vegeta's Metrics computes codes, bytes, rates and latencies. The Latency is the time from the
// sending, without that of dialling.
func (r *Recording) Result(of *Record) vegeta.Result {
	x := of.Like
	res := vegeta.Result{Attack: CheckID(r.Lanes[of.Lane].Plan, of.Phase), Seq: uint64(of.N), Code: uint16(of.Status),
		Timestamp: r.Meta.Started.Add(of.Sent), Latency: of.Done, Method: x.Request.Method, URL: r.Meta.Target + x.Request.Path,
		BytesOut: uint64(len(x.Request.Body))}
	if x.Response != nil {
		res.BytesIn = uint64(x.Response.Size)
	}
	switch {
	case x.Failure != nil:
		res.Error = string(x.Failure.Kind) + ": " + x.Failure.Detail
	case of.Status < 200 || of.Status >= 400:
		res.Error = strconv.Itoa(of.Status) + " " + http.StatusText(of.Status)
	}
	return res
}
