// Package model is the one place for the API's numbers: the model table (windows, minima, prices,
// thinking modes) and the limits that hold for all models. It holds data and lookups, no behaviour.
package model
