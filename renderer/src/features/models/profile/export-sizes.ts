import type { Model, Quantization } from '#contracts/entities/model.ts'

export interface KnownSize {
  bytes: number
  /** The name of the model whose export has this size. */
  of: string
  isOwn: boolean
}

/** Bits per weight of an export. */
const BITS: Record<Quantization, number> = { q4_k_m: 4.8, q5_k_m: 5.7, q8_0: 8.5, f16: 16 }

/** The size of an export by the number of weights; null if that is not known. `quantization` null: merged. */
export const estimatedSize = ({ operational: { parameters } }: Model, quantization: Quantization | null): number | null =>
  parameters === null ? null : (parameters * BITS[quantization ?? 'f16']) / 8

/**
 * The size of an existing export of this kind (`quantization` null: merged): of this model, else of a model with the same base
 * and number of parameters. Null if there is none. Weights from full fine-tuning are not an export.
 */
export function knownSize(model: Model, others: readonly Model[], quantization: Quantization | null): KnownSize | null {
  const kind = quantization === null ? 'merged' : `gguf-${quantization}`
  const isKind = ({ id }: Model['artifacts'][number]) => id === kind
  const own = model.artifacts.find(isKind)
  if (own) return { bytes: own.bytes, of: model.name, isOwn: true }
  const alike = others.filter(
    ({ id, lineage, operational }) =>
      id !== model.id && lineage.baseModel === model.lineage.baseModel && operational.parameters === model.operational.parameters,
  )
  for (const one of alike) {
    const found = one.artifacts.find(isKind)
    if (found) return { bytes: found.bytes, of: one.name, isOwn: false }
  }
  return null
}
