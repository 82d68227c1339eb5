const BRACKETS = ['\x1b[200~', '\x1b[201~'] as const
/** Control characters except tab and return: pasted text must not end the brackets or press keys. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]/g

/** Pasted text as keys, with line ends as Enter and without control characters. */
export const asKeys = (text: string): string => text.replaceAll(/\r?\n/g, '\r').replaceAll(CONTROLS, '')

export const inBrackets = (keys: string): string => `${BRACKETS[0]}${keys}${BRACKETS[1]}`
