import type { ModelFormat, Quantization } from '#contracts/entities/model.ts'
import type { ExportConfig } from '#contracts/trainer.ts'
import type { Facts, ToolCall, ToolProgress } from '#server/adapters/trainer-tools/index.ts'
import type { Progress } from '#server/jobs/jobs.ts'

export interface ExportRequest {
  format: ModelFormat
  quantization: Quantization
  parity: boolean
}

export interface ExportDeps {
  /** Throws `training_unavailable`. */
  interpreter: () => Promise<ToolCall['interpreter']>
  runTool: (call: ToolCall, onProgress: (progress: ToolProgress) => void) => Promise<Facts>
  /** llama-quantize of the machine; null: there is none. */
  quantizer: () => string | null
  ollama: {
    /** Null: it is not installed. */
    find: () => string | null
    create: (program: string, name: string, modelfile: string, signal: AbortSignal) => Promise<void>
  }
}

/** Where an export is being made, and how its tools are called; progress goes to the job. */
export interface Workshop {
  /** Private folder of this export; it goes at the end. */
  part: string
  signal: AbortSignal
  progress: (progress: Progress) => void
  tool: (config: ExportConfig, phase?: string) => Promise<Facts>
}

/** The trained weights: an adapter on its base, or a whole model. */
export interface Weights {
  model: string
  adapter: string | null
}
