package harness

import (
	"fmt"
	"path"

	"harnessbench/internal/model"
)

// Config is what a process is started with.
type Config struct {
	Model     string
	ConfigDir string // <config> of H-LOG-1, an absolute slash path
	Cwd       string // project directory, absolute and canonical
	APIKey    string // sent as x-api-key; never logged
	Switches  Switches
}

// check makes the paths clean and finds the model.
func (c *Config) check() (model.Model, error) {
	m, ok := model.Lookup(c.Model)
	if !ok {
		return m, fmt.Errorf("config: no model is called %q; `bench list` shows the known ones", c.Model)
	}
	for _, p := range []struct {
		name string
		dir  *string
	}{{"ConfigDir", &c.ConfigDir}, {"Cwd", &c.Cwd}} {
		if !path.IsAbs(*p.dir) {
			return m, fmt.Errorf("config: %s is %q, want an absolute slash path", p.name, *p.dir)
		}
		*p.dir = path.Clean(*p.dir)
	}
	return m, c.Switches.check()
}
