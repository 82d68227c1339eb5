import { endsInWord, hasTokens, tokensOf } from './tokens.ts'

/**
 * An FTS5 expression for words and phrases, all of which one entry must have; the last bare word matches as a prefix,
 * because it may be incomplete. Null if no text has a token. Everything is quoted, so that no text is an operator.
 */
export function matchOf(texts: readonly { text: string; phrase: boolean }[]): string | null {
  const parts: string[] = []
  texts.forEach(({ text, phrase }, index) => {
    const tokens = tokensOf(text)
    if (!hasTokens(tokens)) return
    const quoted = `"${tokens.replaceAll('\0', ' ').replaceAll('"', '""')}"` // a NUL would end the expression
    parts.push(!phrase && index === texts.length - 1 && endsInWord(tokens) ? `${quoted}*` : quoted)
  })
  return parts.length ? parts.join(' ') : null
}
