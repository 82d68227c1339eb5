import type { Word, WordPart } from 'unbash'
import { UnfitError } from './unfit.ts'

/** The value of a word in bash. Throws `UnfitError` if it depends on the state when it runs. */
export function plain(word: Word): string {
  if (word.text.startsWith('~')) throw new UnfitError('It uses a path in a home folder.')
  for (const part of word.parts ?? []) requirePlain(part)
  return word.value
}

export function requirePlain(part: WordPart): void {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return
  if (part.type === 'DoubleQuoted') return part.parts.forEach(requirePlain)
  if (part.type === 'Glob' || part.type === 'ExtendedGlob' || part.type === 'BraceExpansion')
    throw new UnfitError('It has a file name pattern, and the session does not show which files existed.')
  throw new UnfitError('It contains a variable or command substitution whose value the session does not show.')
}
