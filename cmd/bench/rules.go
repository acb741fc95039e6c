package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"harnessbench/fakeapi/validate"
)

func rulesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "list the rules of the fake server: area, confidence, id, source; with an ID, all that is known of one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all := validate.Rules()
			if len(args) == 1 {
				one, err := ruleNamed(all, args[0])
				if err != nil {
					return err
				}
				if all = []validate.Rule{one}; !asJSON {
					return showRule(cmd.OutOrStdout(), one)
				}
			}
			for _, r := range all {
				if err := listRule(cmd.OutOrStdout(), r, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line: id, area, source, confidence, era, status, type, text")
	return cmd
}

func ruleNamed(all []validate.Rule, id string) (validate.Rule, error) {
	var near []string
	for _, r := range all {
		if r.ID == id {
			return r, nil
		}
		if strings.Contains(r.ID, id) && len(near) < 5 {
			near = append(near, r.ID)
		}
	}
	if len(near) > 0 {
		return validate.Rule{}, fmt.Errorf("no rule %q; near it: %s", id, strings.Join(near, ", "))
	}
	return validate.Rule{}, fmt.Errorf("no rule %q; `bench rules` lists them", id)
}

func listRule(out io.Writer, r validate.Rule, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(struct {
			ID         string `json:"id"`
			Area       string `json:"area"`
			Source     string `json:"source"`
			Confidence string `json:"confidence"`
			Era        string `json:"era"`
			Status     int    `json:"status"`
			Type       string `json:"type"`
			Text       string `json:"text"`
		}{r.ID, r.Area, r.Source, r.Confidence, r.Era, r.Status, r.Type, r.Text})
	}
	_, err := fmt.Fprintf(out, "%-19s %-7s %-50s %s\n", r.Area, r.Confidence, r.ID, r.Source)
	return err
}

func showRule(out io.Writer, r validate.Rule) error {
	_, err := fmt.Fprintf(out, "rule        %s\narea        %s\nsource      %s\nconfidence  %s\nholds for   %s\nanswer      %d %s\ntext        %s\n",
		r.ID, r.Area, r.Source, r.Confidence, r.Era, r.Status, r.Type, r.Text)
	return err
}
