// Package tool holds what the harness says about its tools and makes of their results: definitions,
// input checks, which calls may run side by side, and the text the model gets (harness.md 6). Running a
// tool is the world's business (H-TOOL-31): Bash comes back as output and exit code, Read as the whole
// text of the file.
package tool
