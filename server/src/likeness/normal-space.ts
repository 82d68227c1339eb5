/** Each run of blanks as one space; what remains is compared as it is. */
export const normalSpace = (text: string): string => text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim() // a space by itself is left as it is
