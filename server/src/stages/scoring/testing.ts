import type { ParsedStep } from '#server/stages/traces/types.ts'

let count = 0

/** A step for tests: by default an answered Bash call of the main conversation. */
export function aStep(values: Partial<ParsedStep> = {}): ParsedStep {
  return {
    id: `step-${++count}`,
    conversation: 'main',
    tool: 'Bash',
    command: null,
    input: {},
    output: null,
    success: null,
    exitCode: null,
    isError: false,
    rejected: false,
    answered: true,
    cwd: null,
    at: null,
    file: null,
    edits: false,
    patch: null,
    ...values,
  }
}
