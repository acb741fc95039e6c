// Command bench is the deterministic simulation and conformance test bench for agent harnesses. Each
// command is one file: flags in, one call, printing out.
package main

import "os"

func main() { os.Exit(cli(os.Args[1:], os.Stdout, os.Stderr)) }
