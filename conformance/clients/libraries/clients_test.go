package libraries

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
)

// client takes the steps with the library and prints a status, or error, for each.
func client(library, settings string, steps []string) {
	c := http.DefaultClient
	if library == "go-retryablehttp" {
		c = retryable(settings)
	}
	for _, step := range steps {
		method, path, body := "GET", "/pets", ""
		if step == "create" {
			method, body = "POST", `{"name":"Rex","categoryId":1}`
		}
		status, answer, err := send(c, method, path, body)
		var pets []struct{ ID int64 }
		if err == nil && step == "ids" {
			if err = json.Unmarshal(answer, &pets); err == nil {
				status, _, err = send(c, "GET", fmt.Sprintf("/pets/%d", pets[0].ID), "")
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

func send(c *http.Client, method, path, body string) (int, []byte, error) {
	r, err := http.NewRequest(method, os.Getenv("PETCONFORM_TARGET")+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+os.Getenv("PETCONFORM_KEY"))
	r.Header.Set("Content-Type", "application/json")
	answer, err := c.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, content, err
}

func retryable(settings string) *http.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	if settings == "mended" {
		// mend go-retryablehttp, so that a createPet that may have succeeded is not sent again
		c.CheckRetry = func(ctx context.Context, r *http.Response, err error) (bool, error) {
			return err == nil && (r.StatusCode == 429 || r.StatusCode == 503), ctx.Err()
		}
		// end
	}
	return c.StandardClient()
}
