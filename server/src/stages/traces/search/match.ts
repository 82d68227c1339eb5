import { wantedTokens } from './tokens.ts'

/**
 * An FTS5 expression for words and phrases, all of which one entry must have; the last bare word matches as a prefix,
 * because it may be incomplete, and so does a single character of a script without spaces. Null if no text has a token.
 * Everything is quoted, so that no text is an operator.
 */
export function matchOf(texts: readonly { text: string; phrase: boolean }[]): string | null {
  const parts: string[] = []
  texts.forEach(({ text, phrase }, index) => {
    const wanted = wantedTokens(text.replaceAll('\0', ' ')) // a NUL would end the expression
    if (!wanted) return
    const isIncomplete = wanted.end === 'character' || (wanted.end === 'word' && !phrase && index === texts.length - 1)
    parts.push(`"${wanted.text.replaceAll('"', '""')}"${isIncomplete ? '*' : ''}`)
  })
  return parts.length ? parts.join(' ') : null
}
