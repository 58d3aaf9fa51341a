package sender

import "runtime"

// ballastSize is how much garbage may gather, at least, before it is looked for.
const ballastSize = 64 << 20

// Ballast spares a process that sends fast from looking for garbage all the time: a request leaves some kilobytes of it and
// a run keeps little else, so that it would be looked for twenty times a second. Room that is asked for and never touched
// takes no memory, but counts when the next time is decided. The function that it gives lets go of the room.
func Ballast() (release func()) {
	room := make([]byte, ballastSize)
	return func() { runtime.KeepAlive(room) }
}
