import type { RunLogLine } from './entities/run.ts'

const MAX_LENGTH = 20_000

/** A printed line as a terminal shows it (progress bars overwrite themselves), with a level guessed from its words; null if empty. */
export function readPrinted(line: string): Pick<RunLogLine, 'level' | 'text'> | null {
  const text = (line.replaceAll('\0', '').trimEnd().split('\r').at(-1) ?? '').slice(0, MAX_LENGTH)
  return text === '' ? null : { level: levelOf(text), text }
}

const levelOf = (text: string): RunLogLine['level'] =>
  /\b(?:error|traceback|exception|fatal|killed)\b/i.test(text) ? 'error' : /warn(?:ing)?\b/i.test(text) ? 'warning' : 'info'
