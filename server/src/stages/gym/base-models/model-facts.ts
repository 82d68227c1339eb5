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

/** The chat template as a model's repository has it: a Jinja file, or within the configuration of the tokenizer (JSON). */
export interface TemplateFiles {
  jinja: string | null
  config: string | null
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
  /** The files with its chat template; null if it has none. */
  template: TemplateFiles | null
  /** Why it cannot be trained. */
  problem: string | null
}
