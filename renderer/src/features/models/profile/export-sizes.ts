import type { Model, Quantization } from '#contracts/entities/model.ts'

export interface KnownSize {
  bytes: number
  /** The model it was measured on. */
  of: string
  isOwn: boolean
}

/**
 * A size that was measured: its own export of the kind (`quantization` null: merged), or that of a model with the same base
 * and as many parameters. Null: none was. Weights that were trained whole are no export.
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
