package inject

// Topic tells the small model to say what a prompt is about (H-ARCH-31).
const Topic = "Read the message of a user of a coding agent. Say whether it begins a new topic of work, and name the topic in " +
	`two or three words. Answer with one JSON object and nothing else: {"isNewTopic": true or false, "title": the name, or null}.`
