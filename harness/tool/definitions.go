package tool

// Definitions is the tools array of every request: complete, in fixed order, rendered once (H-ARCH-5,
// H-REB-44).
func Definitions() []byte {
	return []byte(`[` + bashDefinition + `,` + readDefinition + `]`)
}

const bashDefinition = `{"name":"Bash","description":"Runs one shell command in the project directory and returns ` +
	`what it printed, standard output and standard error merged. Each call starts a fresh shell: the working ` +
	`directory carries over inside the project, exported variables do not. A command that fails returns its exit ` +
	`code in the first line. The last line of every result names the call, as in [rerun: b3]; give that name as ` +
	`rerun to repeat the same command. Prefer Read for looking at files. Quote paths that hold blanks. Commands ` +
	`that wait for input never return anything useful.","input_schema":{"type":"object","properties":{` +
	`"command":{"type":"string","description":"The command line to run."},` +
	`"timeout":{"type":"integer","description":"Milliseconds after which the command is stopped; 120000 if absent, at most 600000."},` +
	`"description":{"type":"string","description":"What the command does, in five to ten words."},` +
	`"rerun":{"type":"string","description":"Name of an earlier Bash call, such as b3, whose command is to run again; command is then left out."}},` +
	`"additionalProperties":false}}`

const readDefinition = `{"name":"Read","description":"Returns the text of one file with line numbers: each line as ` +
	`number, tab, text. Without offset and limit the whole file is returned. Read a file before you describe or ` +
	`change it. Directories cannot be read; list them with Bash.","input_schema":{"type":"object","properties":{` +
	`"file_path":{"type":"string","description":"Absolute path of the file."},` +
	`"offset":{"type":"integer","minimum":1,"description":"First line to return, counted from 1."},` +
	`"limit":{"type":"integer","minimum":1,"description":"How many lines to return."}},` +
	`"required":["file_path"],"additionalProperties":false}}`
