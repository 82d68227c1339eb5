/**
 * An FTS5 expression for words and phrases, all of which one entry must have; the last bare word matches as a prefix,
 * because it may still be typed. Null when nothing in it is a letter or a digit: there is nothing to look for.
 * Everything is quoted, so no text can be an operator.
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
