const LONGEST_EXCERPT = 300

/** The most characters that an excerpt is made from. */
export const LONGEST_PART = LONGEST_EXCERPT * 10

export const excerptOf = (text: string): string => (text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 1)}…` : text)
