// Package sim runs stories many times: with the process killed at every port call (the sweep), and, in
// its tests, over drawn stories on the model matrix. It builds on package run and judges nothing itself
// beyond what a sweep alone can see: that no tool ran twice and that nothing acknowledged was lost.
package sim
