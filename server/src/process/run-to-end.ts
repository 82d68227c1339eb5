import { type ProcessExit, type ProcessSpec, startProcess } from './start.ts'

/** Characters of each stream that are kept: the first ones. */
const KEPT = 1024 * 1024

export interface Finished extends ProcessExit {
  stdout: string
  stderr: string
  /** Lines of both, in order of arrival. */
  output: string
}

/** Runs a program and resolves with what it printed, however it ended. Rejects when it cannot be started. */
export async function runToEnd(spec: Omit<ProcessSpec, 'output'>): Promise<Finished> {
  const lines: { text: string; from: string }[] = []
  const remaining = { stdout: KEPT, stderr: KEPT }
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

/** How it ended, for a message. */
export function howEnded({ code, signal, endedBy }: ProcessExit): string {
  if (endedBy === 'deadline') return 'it took too long'
  if (signal !== null) return `it was ended by ${signal}`
  return code === null ? 'it has ended' : `it ended with ${code}`
}
