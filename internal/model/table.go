package model

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

//go:embed models.json
var tableJSON []byte

// table and names are written once, when the program starts, and only read after.
var (
	table = mustDecode(tableJSON)
	names = index(table)
)

// decode reads a table strictly: a member the struct does not know, a row without an id and a name
// held by two rows are errors.
func decode(data []byte) ([]Model, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var rows []Model
	if err := d.Decode(&rows); err != nil {
		return nil, fmt.Errorf("model table: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("model table: something stands behind the array")
	}
	seen := map[string]string{}
	for i, m := range rows {
		if m.ID == "" {
			return nil, fmt.Errorf("model table: row %d has no id", i)
		}
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			if other, taken := seen[name]; taken {
				return nil, fmt.Errorf("model table: %s is a name of both %s and %s", name, other, m.ID)
			}
			seen[name] = m.ID
		}
	}
	return rows, nil
}

// mustDecode panics on a bad table: it is part of the program, not input.
func mustDecode(data []byte) []Model {
	rows, err := decode(data)
	if err != nil {
		panic(err)
	}
	return rows
}

func index(rows []Model) map[string]int {
	names := make(map[string]int, 2*len(rows))
	for i, m := range rows {
		names[m.ID] = i
		for _, a := range m.Aliases {
			names[a] = i
		}
	}
	return names
}

// Lookup finds a model by id or alias. The slices of the answer are shared and not to be changed.
func Lookup(idOrAlias string) (Model, bool) {
	i, ok := names[idOrAlias]
	if !ok {
		return Model{}, false
	}
	return table[i], true
}

// All is the table in its own order: current lines first, the old models of the recordings last.
func All() []Model { return append([]Model(nil), table...) }
