// Package rulebook keeps harness/RULES.md: every rule of the reference harness that is in force, with the
// symbols whose doc comments name it and the tests whose doc comments name it. It reads source text and
// knows nothing of what the harness does; whether a test shows what it claims is for its reader to judge.
//
// A rule is named as H-LOG-10, a run of rules as H-REB-2 to H-REB-4 or H-TOOL-70..75.
package rulebook
