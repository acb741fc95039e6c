package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"harnessbench/conformance/trace"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of the program and of its formats",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			version, goVersion := "devel", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
				if v := info.Main.Version; v != "" && v != "(devel)" {
					version = v
				}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "bench %s, %s, trace format %d\n", version, goVersion, trace.Version)
			return nil
		},
	}
}
