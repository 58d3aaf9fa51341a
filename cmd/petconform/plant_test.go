package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// plantedBy makes something happen to the process that the test's binary stands in for: "sending:30:interrupt" interrupts it as it
// is about to send for the 30th time. Actions are panic, interrupt, stuck, kill, remove=NAME for a file or a folder, and mkdir=NAME.
func plantedBy(plan string) func(string) {
	parts := strings.SplitN(plan, ":", 3)
	if len(parts) != 3 {
		return func(string) {}
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("PLANT=%s: STAGE:TIMES:ACTION is wanted", plan))
	}
	var times atomic.Int64
	return func(name string) {
		if name != parts[0] || times.Add(1) != at {
			return
		}
		action, arg, _ := strings.Cut(parts[2], "=")
		switch action {
		case "panic":
			panic("planted in " + name)
		case "interrupt":
			signalSelf(os.Interrupt)
		case "stuck": // it interrupts itself again and again, and hears nothing
			for {
				signalSelf(os.Interrupt)
				time.Sleep(10 * time.Millisecond)
			}
		case "kill":
			signalSelf(os.Kill)
			select {} // it comes before anything else is done
		case "remove":
			if err := os.RemoveAll(arg); err != nil {
				panic(err)
			}
		case "mkdir":
			if err := os.MkdirAll(arg, 0o755); err != nil {
				panic(err)
			}
		}
	}
}

func signalSelf(s os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil {
		panic(err)
	}
}
