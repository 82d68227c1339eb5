/** Replaces each sequence of white space with one space, so that texts can be compared. */
export const normalSpace = (text: string): string => text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim() // single spaces need no replacement
