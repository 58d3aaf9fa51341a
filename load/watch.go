package load

import (
	"fmt"
	"io"

	"petconform/load/record"
)

// watch is the sink that sees when the service is reached.
type watch struct{ run *run }

// Note does nothing.
func (watch) Note(record.Note) error { return nil }

// Record calls Config.Reached if the response is that of a service.
func (w watch) Record(r *record.Record) error {
	if w.run.cfg.Reached != nil && r.Served() {
		w.run.cfg.Reached()
	}
	return nil
}

// bounded stops the run when the recording has reached its bound. What is in flight then is still recorded.
type bounded struct {
	io.Writer
	run     *run
	written int64
}

// Write passes on what it is given.
func (b *bounded) Write(p []byte) (int, error) {
	n, err := b.Writer.Write(p)
	b.written += int64(n)
	if most := b.run.cfg.MaxRecording; most > 0 && b.written >= most && b.run.stop != nil {
		b.run.stop(fmt.Errorf("the recording has %d bytes, and no larger one can be judged; load fewer plans, keys (--shard) or phases (--phase) at a time", b.written))
	}
	return n, err
}
