import { estimator, loadTokenizer, type Encoder } from './tokenizer.ts'

let kept: { dir: string; encoder: Encoder } | null = null

/** The tokenizer of a folder, kept in this thread for the next row: reading one takes up to a second. Null: the estimator. */
export function encoderOf(dir: string | null): Encoder {
  if (dir === null) return estimator
  if (kept?.dir !== dir) kept = { dir, encoder: loadTokenizer(dir) }
  return kept.encoder
}
