import type { Sandbox, TrajectoryEntry } from '#contracts/entities/sandbox.ts'

/** Open sessions, and those in which a command was run. */
export const sessionsOf = ({ terminals }: Sandbox, entries: readonly TrajectoryEntry[]): string[] => [
  ...new Set(['main', ...terminals.map(({ session }) => session), ...entries.map(({ session }) => session)]),
]
