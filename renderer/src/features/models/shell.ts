/** A word for a POSIX shell; one that needs no quotes stays as it is. */
export const quoted = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)
