import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { Tensor } from './safetensors.ts'

/** What the configuration of a decoder says of its shape. */
export interface Architecture {
  name: string
  hidden: number
  intermediate: number
  layers: number
  heads: number
  keyValueHeads: number
  headDim: number
  vocabulary: number
}

/** What is known of a model without loading it. */
export interface ModelFacts {
  format: BaseModel['format']
  /** Type of most of its weights where they are packed (Q4_K …); null: they are whole. */
  quantization: string | null
  architecture: Architecture | null
  architectureName: string | null
  /** Null: no weights to count. */
  parameters: number | null
  tensors: readonly Tensor[]
  /** Bytes of its weights. */
  bytes: number
  contextLength: number | null
  license: string | null
  hasTemplate: boolean
  /** Why it cannot be trained. */
  problem: string | null
}
