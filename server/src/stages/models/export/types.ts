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
  /** Path of llama-quantize; null if it is not installed. */
  quantizer: () => string | null
  ollama: {
    /** Null if it is not installed. */
    find: () => string | null
    create: (program: string, name: string, modelfile: string, signal: AbortSignal) => Promise<void>
  }
}

/** Work folder, tools and progress of an export. */
export interface ExportContext {
  /** Private work folder, removed at the end. */
  workFolder: string
  signal: AbortSignal
  progress: (progress: Progress) => void
  /** `shown`: the progress of the tool in the words of the export. */
  tool: (config: ExportConfig, shown?: (progress: ToolProgress) => Progress) => Promise<Facts>
}

/** The trained weights: an adapter with its base model, or a full model. */
export interface Weights {
  model: string
  adapter: string | null
}
