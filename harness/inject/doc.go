// Package inject words what the harness says to the model besides the user: reminders, the head block of
// memory and date, notices of interrupts (harness.md 5). It decides no place and logs nothing.
package inject
