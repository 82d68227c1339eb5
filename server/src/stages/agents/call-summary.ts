/** Fields of a tool call that describe it best, as named by Claude Code and other agents. */
const SUMMARY_FIELDS = ['command', 'file_path', 'filePath', 'notebook_path', 'pattern', 'url', 'query', 'description', 'skill']

/** A tool call in one line. */
export const summaryOf = (input: Record<string, unknown>): string =>
  SUMMARY_FIELDS.map((name) => input[name])
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString() ?? JSON.stringify(input)
