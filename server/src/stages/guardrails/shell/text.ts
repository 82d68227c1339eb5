/** Marks the part of a text that is only known when the command runs. A command cannot contain this character. */
export const UNKNOWN = '\0'

/**
 * Where a text comes from, from harmless to worst: the command itself, something on this machine, a file downloaded by
 * this command, a filter whose output cannot be computed, a download piped directly.
 */
const ORIGINS = ['command', 'machine', 'fetched', 'derived', 'download'] as const
export type Origin = (typeof ORIGINS)[number]

/** A text that a command receives or prints; unknown parts are `UNKNOWN`. */
export interface Text {
  text: string
  origin: Origin
}

export const literalText = (text: string): Text => ({ text, origin: 'command' })
export const UNKNOWN_TEXT: Text = { text: UNKNOWN, origin: 'machine' }
export const NO_TEXT: Text = literalText('')

export const worstOrigin = (origins: readonly Origin[]): Origin =>
  ORIGINS[Math.max(0, ...origins.map((origin) => ORIGINS.indexOf(origin)))] ?? 'command'

export function joinTexts(texts: readonly Text[], separator = ''): Text {
  if (texts.length === 1) return texts[0]!
  return { text: texts.map(({ text }) => text).join(separator), origin: worstOrigin(texts.map(({ origin }) => origin)) }
}
export const isKnown = ({ text }: Text): boolean => !text.includes(UNKNOWN)
