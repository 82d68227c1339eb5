/** A pattern for `LIKE @pattern ESCAPE '\'` that finds a text anywhere, its own `%` and `_` matched literally. */
export const likeAnywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
