package reference

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec/reference/internal/behaviour"
)

const small = "Bearer " + smallKey

// spend exceeds the limits of the small key, of the minute and of the day, and goes on after the refusals.
func (s *talk) spend() {
	s.crowd()
	s.clock.now = s.clock.now.Add(25 * time.Hour)
	for i := range 64 {
		s.from = fmt.Sprintf("192.0.2.1:%d", 1000+i%3)
		switch i % 3 {
		case 0:
			s.say("GET", "/pets?limit=1", "", small)
		case 1:
			s.say("GET", "/pets/"+strconv.Itoa(i), "", small)
		default:
			s.say("POST", "/pets", fmt.Sprintf(`{"name":"Spent %d","categoryId":1}`, i), small)
		}
		if i%20 == 0 {
			s.say("GET", "/pets?limit=1", "", "Bearer "+otherKey)
		}
		s.clock.now = s.clock.now.Add(70 * time.Millisecond)
	}
	s.say("GET", "/pets?limit=1", "", "Bearer "+otherKey)
	for range 4 {
		s.afterWait("Retry-After")
		s.overload(9)
		s.afterWait("Reset")
	}
	// Two windows at an even rate just below the plan.
	for range 130 {
		s.clock.now = s.clock.now.Add(1010 * time.Millisecond)
		s.say("GET", "/pets?limit=1", "", small)
	}
	s.say("GET", "/pets?limit=100", "", key)
}

// afterWait sends a request when the last refusal said so, in Retry-After or in Reset.
func (s *talk) afterWait(header string) {
	w := s.say("GET", "/pets?limit=1", "", small)
	switch seconds, err := strconv.ParseInt(w.Header().Get("Retry-After"), 10, 64); {
	case w.Code != http.StatusTooManyRequests || err != nil:
		s.clock.now = s.clock.now.Add(time.Minute)
	case header == "Reset":
		reset, _ := strconv.ParseInt(w.Header().Get(behaviour.ResetHeader), 10, 64)
		s.clock.now = time.Unix(reset, 0)
	default:
		s.clock.now = s.clock.now.Add(time.Duration(seconds) * time.Second)
	}
	s.say("GET", "/pets?limit=1", "", small)
}

// overload spends what is left and sends requests beyond it.
func (s *talk) overload(beyond int) {
	for refused := 0; refused < beyond; refused++ {
		for range 70 {
			if s.send("GET", "/pets?limit=1", "", small).Code == http.StatusTooManyRequests {
				break
			}
		}
		s.say("GET", "/pets?limit=1", "", small)
	}
}

// crowd spends the minute with many requests at the same time, and notes the number of each kind of answer.
func (s *talk) crowd() {
	var all sync.WaitGroup
	var served, refused, other atomic.Int64
	for range 8 {
		all.Go(func() {
			for range 12 {
				switch s.send("GET", "/store/orders", "", small).Code {
				case http.StatusOK:
					served.Add(1)
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					other.Add(1)
				}
			}
		})
	}
	all.Wait()
	s.lines = append(s.lines, fmt.Sprintf("%d served, %d refused, %d else", served.Load(), refused.Load(), other.Load()))
}
