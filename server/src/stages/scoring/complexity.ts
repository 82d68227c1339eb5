import type { ParsedStep } from '#server/stages/traces/types.ts'
import { withoutFolder } from '#server/shell/options.ts'

const NAMED_PATTERNS = new Set(['cd', 'cat', 'ls', 'grep', 'sed', 'git', 'npm', 'yarn', 'docker', 'make'])
const INPUT_FIELDS = ['file_path', 'notebook_path', 'path', 'pattern', 'url', 'query'] as const
const PATTERN_CHARS = 50

/** The pattern of a command; `opening` is the first simple command. */
export function commandPattern(text: string, opening: readonly string[] | null): string {
  return namedPattern(opening) ?? firstChars(text.trim())
}

function namedPattern(opening: readonly string[] | null): string | null {
  if (!opening?.length) return null
  const name = withoutFolder(opening[0]!)
  if (NAMED_PATTERNS.has(name)) return name
  if (/^python(3(\.\d+)?)?$/.test(name)) return 'python'
  if (name === 'pip' || name === 'pip3') return opening.slice(1).find((word) => !word.startsWith('-')) === 'install' ? 'pip install' : null
  return null
}

/** The pattern of a step without a command: the first of its path, pattern, URL and query fields. */
export function inputPattern(input: ParsedStep['input']): string | null {
  for (const field of INPUT_FIELDS) {
    const value = input[field]
    if (typeof value === 'string' && value !== '') return firstChars(value)
  }
  return null
}

const firstChars = (text: string): string =>
  text.length <= PATTERN_CHARS
    ? text
    : Array.from(text.slice(0, 2 * PATTERN_CHARS))
        .slice(0, PATTERN_CHARS)
        .join('')
