/** Fields of a tool call that tell a person what it does, under the names that Claude Code and other agents use. */
const NAMING = ['command', 'file_path', 'filePath', 'notebook_path', 'pattern', 'url', 'query', 'description', 'skill']

/** A tool call in one line. */
export const summaryOf = (input: Record<string, unknown>): string =>
  NAMING.map((name) => input[name])
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString() ?? JSON.stringify(input)
