import { createRequire } from 'node:module'
import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base'

type O200k = typeof Encoding

const load = createRequire(import.meta.url)
let loaded: O200k | undefined

/** The tokenizer for estimates. Loaded on first use, because its tables take most of a second. */
export const o200k = (): O200k => (loaded ??= load('gpt-tokenizer/encoding/o200k_base') as O200k)
