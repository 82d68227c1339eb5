/**
 * Every module through which session content leaves the trace store: files meant for others, and requests. Each takes
 * `Cleared<…>` values only. A test reads the sources: a module of a later stage or of an adapter that writes files or
 * talks to the network stands here, or in `NO_CONTENT` with the reason why nothing of a session passes through it.
 */
export const WAYS_OUT: readonly { module: string; what: string }[] = []

export const NO_CONTENT: readonly { module: string; why: string }[] = [
  { module: 'server/src/adapters/claude-cli/index.ts', why: 'asks the installed client for its version' },
]
