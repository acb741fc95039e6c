package main

import (
	"github.com/spf13/cobra"

	"harnessbench/scenarios"
)

func schemaCommand() *cobra.Command {
	var script bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of a scenario file, or of a script file for serve",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			of := scenarios.Schema
			if script {
				of = scenarios.ScriptSchema
			}
			raw, err := of()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(raw)
			return err
		},
	}
	cmd.Flags().BoolVar(&script, "script", false, "of a script file")
	return cmd
}
