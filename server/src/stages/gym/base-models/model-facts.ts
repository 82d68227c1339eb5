import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { Tensor } from './safetensors.ts'

/** The shape of a decoder. */
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

/** What can be read of a model without loading it. */
export interface ModelFacts {
  format: BaseModel['format']
  /** Type of most weights if they are quantized (Q4_K …), otherwise null. */
  quantization: string | null
  architecture: Architecture | null
  architectureName: string | null
  /** Null if the weights cannot be read. */
  parameters: number | null
  tensors: readonly Tensor[]
  /** Bytes of the weights. */
  bytes: number
  contextLength: number | null
  license: string | null
  hasTemplate: boolean
  /** Why it cannot be trained. */
  problem: string | null
}
