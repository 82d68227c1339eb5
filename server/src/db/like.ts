/** A pattern for `LIKE @pattern ESCAPE '\'` that finds a text anywhere and matches its `%` and `_` literally. */
export const likeAnywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
