package libraries

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

// client takes the steps with the library and prints a status, or error, for each.
func client(library, settings string, steps []string) {
	send := map[string]func(string) func(method, path, body string) (int, []byte, error){
		"net/http": standard, "go-retryablehttp": retryable, "resty": restyClient,
	}[library](settings)
	for _, step := range steps {
		method, path, body := "GET", "/pets", ""
		if step == "create" {
			method, body = "POST", `{"name":"Rex","categoryId":1}`
		}
		status, answer, err := send(method, path, body)
		var pets []struct{ ID int64 }
		if err == nil && step == "ids" {
			if err = json.Unmarshal(answer, &pets); err == nil {
				status, _, err = send("GET", fmt.Sprintf("/pets/%d", pets[0].ID), "")
			}
		}
		if err != nil {
			log.Print(err)
			fmt.Println("error")
			continue
		}
		fmt.Println(status)
	}
}

func standard(string) func(string, string, string) (int, []byte, error) {
	return func(method, path, body string) (int, []byte, error) {
		r, err := http.NewRequest(method, os.Getenv("PETCONFORM_TARGET")+path, strings.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		return read(http.DefaultClient.Do(withHeaders(r)))
	}
}

func withHeaders(r *http.Request) *http.Request {
	r.Header.Set("Authorization", "Bearer "+os.Getenv("PETCONFORM_KEY"))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func read(r *http.Response, err error) (int, []byte, error) {
	if err != nil {
		return 0, nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return r.StatusCode, body, err
}

func retryable(settings string) func(string, string, string) (int, []byte, error) {
	c := retryablehttp.NewClient()
	c.Logger = nil
	if settings == "mended" {
		// mend go-retryablehttp, so that a createPet that may have succeeded is not sent again
		c.CheckRetry = func(ctx context.Context, r *http.Response, err error) (bool, error) {
			return err == nil && (r.StatusCode == 429 || r.StatusCode == 503), ctx.Err()
		}
		// end
	}
	return func(method, path, body string) (int, []byte, error) {
		r, err := retryablehttp.NewRequest(method, os.Getenv("PETCONFORM_TARGET")+path, []byte(body))
		if err != nil {
			return 0, nil, err
		}
		withHeaders(r.Request)
		return read(c.Do(r))
	}
}

func restyClient(settings string) func(string, string, string) (int, []byte, error) {
	c := resty.New()
	refused := func(r *resty.Response, err error) bool {
		return err == nil && (r.StatusCode() == 429 || r.StatusCode() == 503)
	}
	switch settings {
	case "usual":
		c.SetRetryCount(3).AddRetryCondition(func(r *resty.Response, err error) bool {
			return err != nil || refused(r, err)
		})
	case "mended":
		// mend resty, with a condition `refused` that holds for 429 and 503 and not for errors
		c.SetRetryCount(5).AddRetryCondition(refused).SetRetryMaxWaitTime(24 * time.Hour)
		c.SetRetryAfter(func(_ *resty.Client, r *resty.Response) (time.Duration, error) {
			if t, err := http.ParseTime(r.Header().Get("Retry-After")); err == nil {
				return max(time.Until(t), time.Millisecond), nil // less than 0 would mean the longest wait
			}
			seconds, err := strconv.Atoi(r.Header().Get("Retry-After"))
			return time.Duration(seconds) * time.Second, err
		})
		// end
	}
	return func(method, path, body string) (int, []byte, error) {
		r := c.R().SetAuthToken(os.Getenv("PETCONFORM_KEY")).SetHeader("Content-Type", "application/json")
		if method == "POST" {
			r.SetBody(body)
		}
		answer, err := r.Execute(method, os.Getenv("PETCONFORM_TARGET")+path)
		if err != nil {
			return 0, nil, err
		}
		return answer.StatusCode(), answer.Body(), nil
	}
}
