import { type ProcessExit, type ProcessSpec, startProcess } from './start.ts'

/** How many of the first characters of each stream are returned. */
const MAX_CHARACTERS = 1024 * 1024

export interface Finished extends ProcessExit {
  stdout: string
  stderr: string
  /** Lines of both, in order of arrival. */
  output: string
}

/** Runs a program and resolves with its output, however it ends. Rejects if it cannot be started. */
export async function runToEnd(spec: Omit<ProcessSpec, 'output'>): Promise<Finished> {
  const lines: { text: string; from: string }[] = []
  const remaining = { stdout: MAX_CHARACTERS, stderr: MAX_CHARACTERS }
  const onLine = (text: string, from: 'stdout' | 'stderr') => {
    remaining[from] -= text.length + 1
    if (remaining[from] >= 0) lines.push({ text, from })
  }
  const exit = await (await startProcess({ ...spec, output: { onLine } })).exit
  const textOf = (from?: string) =>
    lines
      .filter((line) => from === undefined || line.from === from)
      .map(({ text }) => text)
      .join('\n')
  return { ...exit, stdout: textOf('stdout'), stderr: textOf('stderr'), output: textOf() }
}

/** How a process ended, as a clause for a message. */
export function howEnded({ code, signal, endedBy }: ProcessExit): string {
  if (endedBy === 'deadline') return 'it took too long'
  if (signal !== null) return `it was ended by ${signal}`
  return code === null ? 'it has ended' : `it ended with ${code}`
}
