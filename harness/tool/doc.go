// Package tool holds what the harness says about its tools and makes of their results: definitions, checks of inputs,
// which calls may run side by side, the text the model gets and the structured result of the log, patches, the form of
// spilled results (harness.md 6). It runs nothing and knows neither world nor session: Bash comes to it as output and
// exit code, Read as the whole text of a file, Edit as the text before.
package tool
