import type { Model, ModelFormat, Quantization } from '#contracts/entities/model.ts'

export interface KnownSize {
  bytes: number
  /** The model it was measured on. */
  of: string
  isOwn: boolean
}

/** A size that was measured: its own export of the kind, or that of a model with the same base and as many parameters. Null: none was. */
export function knownSize(
  model: Model,
  others: readonly Model[],
  format: ModelFormat,
  quantization: Quantization | null,
): KnownSize | null {
  const isKind = (one: Model['artifacts'][number]) =>
    one.quantization === quantization && (format === 'merged' ? one.format === 'merged' : one.format === 'gguf')
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
