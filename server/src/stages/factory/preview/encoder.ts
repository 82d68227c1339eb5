import { estimator, loadTokenizer, type Encoder } from './tokenizer.ts'

let kept: { dir: string; template: string | null; encoder: Encoder } | null = null

/**
 * The tokenizer of a folder, kept in this thread for the next row: reading one takes up to a second. `template` takes the place
 * of its own. Null: the estimator.
 */
export function encoderOf(dir: string | null, template: string | null = null): Encoder {
  if (dir === null)
    return template === null ? estimator : { ...estimator, template: () => ({ ...estimator.template(false), source: template }) }
  if (kept?.dir !== dir || kept.template !== template) kept = { dir, template, encoder: loadTokenizer(dir, template) }
  return kept.encoder
}
