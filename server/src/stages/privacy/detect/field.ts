import type { Label } from './labels.ts'

/** A value and the label it stands beside. Places are those of the text. */
export interface Field extends Label {
  text: string
  start: number
  end: number
  quoted: boolean
  /** How they are tied: `env` is `UPPER_CASE=value`. */
  style: 'assign' | 'env' | 'prose' | 'flag' | 'cell' | 'call' | 'compare'
  /** Whether the label is an identifier (one word of code), not words of a sentence. */
  identifier: boolean
}

export interface Tie {
  at: number
  style: Field['style']
  sign: string
  /** The value must stand in quotes. */
  mustQuote: boolean
}
