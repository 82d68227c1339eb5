/** The marks of all families, which the Python package reads too. Here they become regular expressions. */
import data from '../../../python/bashgym/bashgym/calls/forms.json' with { type: 'json' }

/** `.` is any character. White space is ASCII, as in Python with re.ASCII. Sticky patterns match at `lastIndex`, others search from there. */
const compiled = (source: string, flags: 'gs' | 'ys') => new RegExp(source.replaceAll(String.raw`\s`, String.raw` \t\r\n\f\v`), flags)

/** What matches at an offset; for a pattern that is not sticky, at or after it. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

interface Pairs {
  open: RegExp
  close: RegExp
  loose: RegExp
}
const pairsOf = ({ open, close, loose }: Record<keyof Pairs, string>): Pairs => ({
  open: compiled(open, 'ys'),
  close: compiled(close, 'gs'),
  loose: compiled(loose, 'gs'),
})

const { parts, pairs } = data
export const BEGINS: readonly string[] = data.begins
export const ENDS: readonly string[] = data.ends
export const THOUGHT_ENDS: readonly string[] = data.thoughtEnds
export const THOUGHTS = compiled(data.thoughts, 'ys')
export const THOUGHT_END = compiled(data.thoughtEnd, 'gs')
export const MESSAGE = compiled(data.message, 'ys')
export const OPENINGS = compiled(data.openings, 'gs')
export const FORMS = data.forms.map(({ mark, ...form }) => ({ ...form, end: 'end' in form ? form.end : null, mark: compiled(mark, 'gs') }))
export const PAIRS = { parameters: pairsOf(pairs.parameters), keyed: pairsOf(pairs.keyed), invoked: pairsOf(pairs.invoked) }
export const PARTS = Object.fromEntries(
  Object.entries(parts).map(([name, source]) => [name, compiled(source, name === 'pythonClosed' ? 'gs' : 'ys')]),
) as Record<keyof typeof parts, RegExp>
export type { Pairs }
