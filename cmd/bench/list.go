package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "list the stories in files or directories (default: scenarios/)",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"scenarios"}
			}
			stories, err := loadStories(args)
			if err != nil {
				return err
			}
			for _, sc := range stories {
				text := strings.Join(strings.Fields(sc.Story), " ")
				if asJSON {
					if err := json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"name": sc.Name, "file": sc.File, "model": sc.Model, "steps": len(sc.Steps), "story": text}); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-22s %-26s %2d steps  %s\n", sc.Name, sc.Model, len(sc.Steps), text)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}
