import type { MemoryEstimate } from '#contracts/entities/run.ts'
import type { TrainMethod, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { Architecture, ModelFacts } from '../base-models/facts.ts'
import type { Tensor } from '../base-models/safetensors.ts'

export interface MemoryInput {
  strategy: TrainStrategy
  settings: TrainSettings
  model: Pick<ModelFacts, 'architecture' | 'parameters' | 'tensors' | 'bytes'>
  teacher: Pick<ModelFacts, 'parameters'> | null
  /** Longest row in tokens, as far as it is known. */
  longest: number | null
  device: 'cpu' | 'cuda'
}

const MB = 1e6
/** AdamW keeps two figures a weight. */
const MOMENTS = 2
const FP32 = 4
const BF16 = 2
/** nf4 with its scales. */
const NF4 = 0.56

/** What the process holds before a model: interpreter, PyTorch, TRL and what they load at first use. Measured: docs/performance.md. */
const PROCESS_BYTES = { cpu: 470 * MB, cuda: 600 * MB }

/**
 * Figures that training keeps of each token for the way back, as multiples of the widths of a decoder layer, and copies of
 * the logits that are alive at once. Fitted once to measured peaks on the CPU (bench/memory.ts).
 */
const KEPT = { hidden: 16, intermediate: 4, adapter: 7, logits: 4 }

/** Bytes of a run by part: a formula over the shape of the model, checked against measured peaks. Null: the shape is not known. */
export function estimateMemory(input: MemoryInput): MemoryEstimate | null {
  const { model, settings, device } = input
  if (model.parameters === null || model.architecture === null) return null
  const { method } = settings
  const weightBytes = device === 'cpu' ? FP32 : method.kind === 'lora' && method.quantized ? NF4 : BF16
  const trainable = trainableOf(method, model.tensors, model.parameters)
  const trainedBytes = method.kind === 'lora' || device === 'cpu' ? FP32 : BF16
  const weights = model.parameters * weightBytes * copiesOf(input) + (input.teacher?.parameters ?? 0) * weightBytes
  const adapter = method.kind === 'lora' ? trainable * trainedBytes : 0
  const optimizer = trainable * trainedBytes * MOMENTS
  const gradients = trainable * trainedBytes
  const activations = activationsOf(input, model.architecture)
  const overhead = PROCESS_BYTES[device]
  const total = weights + adapter + optimizer + gradients + activations + overhead
  return { weights, adapter, optimizer, gradients, activations, overhead, total }
}

/** Copies of the base weights: preferences are held against the model as it was, which an adapter need only be switched off for. */
function copiesOf({ strategy, settings }: MemoryInput): number {
  const isFull = settings.method.kind === 'full'
  const needsReference =
    strategy === 'dpo' || strategy === 'kto' || ((strategy === 'grpo' || strategy === 'rlvr') && (settings.beta ?? 0) > 0)
  return isFull && needsReference ? 2 : 1
}

/** Weights that learn: of an adapter, rank times both sides of every matrix that it goes beside. */
export function trainableOf(method: TrainMethod, tensors: readonly Tensor[], parameters: number): number {
  if (method.kind === 'full') return parameters
  return targetsOf(method, tensors).reduce((sum, { shape: [out = 0, into = 0] }) => sum + method.rank * (out + into), 0)
}

function targetsOf(method: TrainMethod & { kind: 'lora' }, tensors: readonly Tensor[]): Tensor[] {
  const isLinear = ({ name, shape }: Tensor) => shape.length === 2 && name.endsWith('.weight') && !/(?:^|\.)(?:embed_tokens|wte|wpe|lm_head)\.weight$/.test(name) // prettier-ignore
  const linear = tensors.filter(isLinear)
  const { targets } = method
  if (targets === 'all-linear') return linear
  return linear.filter(({ name }) => targets.some((target) => name === `${target}.weight` || name.endsWith(`.${target}.weight`)))
}

function activationsOf({ strategy, settings, longest, device }: MemoryInput, shape: Architecture): number {
  const rows = Math.min(settings.microBatch ?? settings.batchSize, settings.batchSize)
  const sides = strategy === 'dpo' ? 2 : 1 // chosen and rejected go through together
  const isGenerated = strategy === 'grpo' || strategy === 'rlvr'
  const length = Math.min(longest ?? settings.maxLength, settings.maxLength) + (isGenerated ? settings.maxCompletion : 0)
  const tokens = rows * sides * length
  const attention = shape.headDim * (shape.heads + 2 * shape.keyValueHeads)
  const adapter = settings.method.kind === 'lora' ? KEPT.adapter * shape.hidden : 0
  const layer = KEPT.hidden * Math.max(shape.hidden, attention / 2) + KEPT.intermediate * shape.intermediate + adapter
  const logits = KEPT.logits * shape.vocabulary
  if (device === 'cpu') return tokens * (shape.layers * layer + logits) * FP32
  // with checkpointing each layer keeps its input, and one layer at a time is computed again
  return tokens * (shape.layers * shape.hidden * BF16 + layer * BF16 + logits * FP32)
}
