/** Quotes a word for a POSIX shell, if it needs quotes. */
export const quoted = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)
