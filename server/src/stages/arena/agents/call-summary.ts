/** The field by which a person knows a call, as Claude Code and others name it. */
const NAMING = ['command', 'file_path', 'filePath', 'notebook_path', 'pattern', 'url', 'query', 'description', 'skill']

/** A call of a tool in a line. */
export const summaryOf = (input: Record<string, unknown>): string =>
  NAMING.map((name) => input[name])
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString() ?? JSON.stringify(input)
