package script

import (
	"strings"

	"harnessbench/internal/wire"
)

// begins tells whether an assistant message begins an answer: neighbours of one role are one turn
// (messages-api.md 2.3), so a client may send the blocks of one answer as several messages. Behind a server tool
// the next message is the answer that went on after a pause.
func begins(req *wire.Request, i int) bool {
	if i == 0 || req.Message(i-1).Role() != "assistant" {
		return true
	}
	blocks := req.Message(i - 1).Blocks()
	if len(blocks) == 0 {
		return false
	}
	last := blocks[len(blocks)-1].Type()
	return last == "server_tool_use" || strings.HasSuffix(last, "_tool_result")
}
