import path from 'node:path'
import { licenseIn } from '#server/adapters/hub/license.ts'
import { readLinkedOrNull } from '#server/foreign/index.ts'
import { isGguf } from './base.ts'

const MAX_CARD_BYTES = 32 * 1024 * 1024

/** The licence in the front matter of a model's README, which is in its folder or next to its GGUF file; null if there is none. */
export function licenseOf(model: string): string | null {
  const card = readLinkedOrNull(isGguf(model) ? path.dirname(model) : model, 'README.md', MAX_CARD_BYTES)
  return card === null ? null : licenseIn(card)
}
