import type { Word, WordPart } from 'unbash'
import { Unfit } from './unfit.ts'

/** What bash makes of a word. Throws `Unfit` if that depends on what is there when it runs. */
export function plain(word: Word): string {
  if (word.text.startsWith('~')) throw new Unfit('It names a path in a home folder.')
  for (const part of word.parts ?? []) requirePlain(part)
  return word.value
}

export function requirePlain(part: WordPart): void {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return
  if (part.type === 'DoubleQuoted') return part.parts.forEach(requirePlain)
  if (part.type === 'Glob' || part.type === 'ExtendedGlob' || part.type === 'BraceExpansion')
    throw new Unfit('It has a pattern for file names, and the session does not tell which files were there.')
  throw new Unfit('It has a variable or the output of a command in it, whose value the session does not tell.')
}
