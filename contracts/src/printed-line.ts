import type { RunLogLine } from './entities/run.ts'

const LONGEST = 20_000

/** A line that a program printed, as a terminal would leave it (progress bars write over themselves), with how bad it sounds; null for an empty one. */
export function readPrinted(line: string): Pick<RunLogLine, 'level' | 'text'> | null {
  const text = (line.replaceAll('\0', '').trimEnd().split('\r').at(-1) ?? '').slice(0, LONGEST)
  return text === '' ? null : { level: levelOf(text), text }
}

const levelOf = (text: string): RunLogLine['level'] =>
  /\b(?:error|traceback|exception|fatal|killed)\b/i.test(text) ? 'error' : /warn(?:ing)?\b/i.test(text) ? 'warning' : 'info'
