package inject

// SideQuestion stands before a question of /btw: the request carries the tools, since they are part of the cached
// prefix, but none is to be called (H-CMD-62).
func SideQuestion() string {
	return Reminder("The user asks a question beside the work. Answer it in text, at once, from what this conversation " +
		"holds. Do NOT call any tools: a call would not be run. Neither question nor answer becomes part of the " +
		"conversation, and the work goes on where it stands.")
}
