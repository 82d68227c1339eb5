import { estimator, loadTokenizer, type Encoder } from './tokenizer.ts'

let cached: { dir: string; template: string | null; encoder: Encoder } | null = null

/**
 * The tokenizer of a folder (null: the estimator), optionally with another template. The last one is cached in this thread,
 * because loading a tokenizer takes up to a second.
 */
export function encoderOf(dir: string | null, template: string | null = null): Encoder {
  if (dir === null)
    return template === null ? estimator : { ...estimator, template: () => ({ ...estimator.template(false), source: template }) }
  if (cached?.dir !== dir || cached.template !== template) cached = { dir, template, encoder: loadTokenizer(dir, template) }
  return cached.encoder
}
