package harness

import (
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// command is the command of an earlier Bash call by its alias (H-TOOL-27).
func (s *Session) command(alias string) (string, bool) {
	for k, command := range s.bash {
		if tool.Alias(k+1) == alias {
			return command, command != ""
		}
	}
	return "", false
}

// bashOf finds the commands of a log by the footnotes of their results, so that numbers go on after a
// resume. A number whose command is not to be found holds "".
func bashOf(log *sessionlog.Log) []string {
	inputs := map[string][]byte{}
	var commands []string
	for _, e := range log.Entries {
		for i := range e.Message.Blocks {
			b := &e.Message.Blocks[i]
			if b.Type == "tool_use" && b.Name == tool.BashName {
				inputs[b.ID] = b.Input
			}
			if b.Type != "tool_result" || inputs[b.ID] == nil {
				continue
			}
			k := tool.AliasOf(resultText(b.Raw))
			if k == 0 {
				continue
			}
			for len(commands) < k {
				commands = append(commands, "")
			}
			commands[k-1] = commandOf(inputs[b.ID], commands)
		}
	}
	return commands
}

// commandOf reads the command of a call, or of the call it repeats.
func commandOf(input []byte, earlier []string) string {
	c := tool.Full().Check("", tool.BashName, input, func(alias string) (string, bool) {
		for k, command := range earlier {
			if tool.Alias(k+1) == alias {
				return command, command != ""
			}
		}
		return "", false
	})
	return c.Command
}

func resultText(raw []byte) string {
	v, err := wire.ParseValue(raw)
	if err != nil {
		return ""
	}
	return v.Get("content").Text()
}
