/** Stands in a text for what is only known when the command runs. A command cannot hold this character itself. */
export const UNKNOWN = '\0'

/**
 * Where a text comes from, from harmless to worst: the command itself, something on this machine, a file fetched by this
 * command, a filter whose result cannot be worked out, a download.
 */
const ORIGINS = ['here', 'elsewhere', 'fetched', 'derived', 'download'] as const
export type Origin = (typeof ORIGINS)[number]

/** A text that a command gets or prints, as far as it can be worked out. */
export interface Text {
  text: string
  origin: Origin
}

export const here = (text: string): Text => ({ text, origin: 'here' })
export const elsewhere: Text = { text: UNKNOWN, origin: 'elsewhere' }
export const NOTHING: Text = here('')

export const worst = (origins: readonly Origin[]): Origin =>
  ORIGINS[Math.max(0, ...origins.map((origin) => ORIGINS.indexOf(origin)))] ?? 'here'

export function joined(texts: readonly Text[], between = ''): Text {
  if (texts.length === 1) return texts[0]!
  return { text: texts.map(({ text }) => text).join(between), origin: worst(texts.map(({ origin }) => origin)) }
}
export const isKnown = ({ text }: Text): boolean => !text.includes(UNKNOWN)
