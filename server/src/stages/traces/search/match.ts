/**
 * An FTS5 expression for words and phrases, all of which one entry must have; the last bare word matches as a prefix,
 * because it may be incomplete. Null if no text has a letter or digit. Everything is quoted, so that no text is an operator.
 */
export function matchOf(texts: readonly { text: string; phrase: boolean }[]): string | null {
  const parts: string[] = []
  texts.forEach(({ text, phrase }, index) => {
    // The tokenizer keeps letters, digits and private use; a NUL would end the expression.
    if (!/[\p{L}\p{N}\p{Co}]/u.test(text)) return
    const quoted = `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`
    parts.push(!phrase && index === texts.length - 1 ? `${quoted}*` : quoted)
  })
  return parts.length ? parts.join(' ') : null
}
