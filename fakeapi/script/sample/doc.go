// Package sample draws JSON values that a JSON Schema takes (draft 2020-12, as tools describe their input). What it
// draws is harmless where a harness acts on it: commands that only look, paths inside the work folder.
package sample
