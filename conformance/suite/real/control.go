package real

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// control speaks to the control endpoints of our own server.
type control struct {
	base   string
	client *http.Client
}

// controlTimeout bounds one control call; they all answer at once.
const controlTimeout = 10 * time.Second

// connect finds out whether the server has control endpoints, and starts it afresh if so. nil without an
// error: some other server.
func connect(base string) (*control, error) {
	c := &control{base: strings.TrimSuffix(base, "/") + "/_bench/", client: &http.Client{Timeout: controlTimeout}}
	resp, err := c.client.Get(c.base + "info")
	if err != nil {
		return nil, fmt.Errorf("no server answers at %s: %w", base, err)
	}
	defer resp.Body.Close()
	var info struct {
		Name    string
		Version int
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&info) != nil || info.Name != "bench" {
		return nil, nil
	}
	if info.Version != httpfront.ControlVersion {
		return nil, fmt.Errorf("the server at %s speaks version %d of the control endpoints, this program version %d", base, info.Version, httpfront.ControlVersion)
	}
	return c, c.post("reset", "")
}

func (c *control) post(endpoint, body string) error {
	resp, err := c.client.Post(c.base+endpoint, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return fmt.Errorf("%s%s: status %d: %s", c.base, endpoint, resp.StatusCode, text)
	}
	return nil
}

// advance moves the server's clock on.
func (c *control) advance(d time.Duration) error {
	ms := (d + time.Millisecond - 1).Milliseconds()
	return c.post("clock", fmt.Sprintf(`{"advance_ms":%d}`, ms))
}

// view is nil when the server no longer has it: views are a help to read, no verdict rests on them.
func (c *control) view(id string) json.RawMessage {
	resp, err := c.client.Get(c.base + "view?request_id=" + url.QueryEscape(id))
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return nil
	}
	return raw
}

// struck lists the faults that the server played since it was last asked; nil when it does not say.
func (c *control) struck() []fakeapi.Struck {
	resp, err := c.client.Get(c.base + "struck")
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	var out struct{ Faults []fakeapi.Struck }
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&out) != nil {
		return nil
	}
	return out.Faults
}
