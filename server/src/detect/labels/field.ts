import type { Label } from './labels.ts'

/** A value and its label, with positions in the text. */
export interface Field extends Label {
  text: string
  start: number
  end: number
  quoted: boolean
  /** How label and value are connected: `env` is `UPPER_CASE=value`. */
  style: 'assign' | 'env' | 'prose' | 'flag' | 'cell' | 'call' | 'compare'
  /** Whether the label is an identifier (one word of code), not words of a sentence. */
  identifier: boolean
}

export interface Separator {
  at: number
  style: Field['style']
  sign: string
  /** The value must be quoted. */
  mustQuote: boolean
}
