import type { ComputeDevice, MemoryEstimate, RunPlan } from '#contracts/entities/run.ts'
import type { TrainMethod, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { Architecture, ModelFacts } from '../base-models/model-facts.ts'
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

/** What the process holds before a model: interpreter, PyTorch, TRL and what they load at first use. Measured. */
const PROCESS_BYTES = { cpu: 500 * MB, cuda: 600 * MB }
/** What the allocator keeps of freed blocks: as much as went through it, up to this. */
const KEPT_BLOCKS = 110 * MB

/**
 * TRL never holds the logits of a whole batch: it makes them a tile of so many tokens and words of the vocabulary at a
 * time (`trl/kernels/chunked_logprob.py`). On a GPU a tile is always this wide, and changed in place.
 */
const TILE = { tokens: 4096, words: 32_768 }

/**
 * How much more memory figures take than counted: an allocator that leaves gaps, and copies that are alive for a moment.
 * On the CPU, the way back has up to eight copies of a tile at once.
 * Fitted to 28 measured peaks on the CPU; others are held to them (bench/memory.ts, docs/performance.md).
 */
const TAKEN = { layer: 1.33, adapter: 1.6, tile: 7.8 }

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
  const activations = activationsOf(input, model.architecture)
  const accumulates = (settings.microBatch ?? settings.batchSize) < settings.batchSize
  // gradients are made while the figures they are made from are freed, unless there are some already
  const gradients = Math.max(0, trainable * trainedBytes - (accumulates ? 0 : activations))
  const overhead = PROCESS_BYTES[device] + (device === 'cpu' ? Math.min(KEPT_BLOCKS, activations) : 0)
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

/** Matrices that adapters go beside. */
export function targetsOf(method: TrainMethod & { kind: 'lora' }, tensors: readonly Tensor[]): Tensor[] {
  const isLinear = ({ name, shape }: Tensor) => shape.length === 2 && name.endsWith('.weight') && !/(?:^|\.)(?:embed_tokens|wte|wpe|lm_head)\.weight$/.test(name) // prettier-ignore
  const linear = tensors.filter(isLinear)
  const { targets } = method
  if (targets === 'all-linear') return linear
  return linear.filter(({ name }) => targets.some((target) => name === `${target}.weight` || name.endsWith(`.${target}.weight`)))
}

function activationsOf({ strategy, settings, longest, device, model }: MemoryInput, shape: Architecture): number {
  const rows = Math.min(settings.microBatch ?? settings.batchSize, settings.batchSize)
  const sides = strategy === 'dpo' ? 2 : 1 // chosen and rejected go through together
  const isGenerated = strategy === 'grpo' || strategy === 'rlvr'
  const length = Math.min(longest ?? settings.maxLength, settings.maxLength) + (isGenerated ? settings.maxCompletion : 0)
  const tokens = rows * sides * length
  // Kept of each token for the way back, counted in the autograd graph of a decoder layer: four widths of the MLP, six of
  // the hidden state, queries and what attention makes of them, keys and values.
  const { hidden, intermediate, layers, heads, keyValueHeads, headDim } = shape
  const layer = 4 * intermediate + 6 * hidden + 2 * heads * headDim + 2 * keyValueHeads * headDim
  const adapter = adapterFigures(settings.method, model.tensors, shape)
  const high = Math.min(tokens, TILE.tokens)
  if (device === 'cpu') {
    const tile = high * Math.min(shape.vocabulary, TILE.words)
    return (tokens * (TAKEN.layer * layers * layer + TAKEN.adapter * adapter) + TAKEN.tile * tile) * FP32
  }
  // with checkpointing each layer keeps its input, and one layer at a time is computed again
  return (tokens * (layers * hidden + layer + adapter / layers) + high * TILE.words) * BF16
}

/** Figures that the adapters of all layers keep of a token: with dropout what comes into each, and what leaves it. */
function adapterFigures(method: TrainMethod, tensors: readonly Tensor[], { hidden, layers }: Architecture): number {
  if (method.kind === 'full') return 0
  const targets = targetsOf(method, tensors)
  const inputs = method.dropout > 0 ? targets.reduce((sum, { shape: [, into = 0] }) => sum + into, 0) : 0
  return inputs + 2 * hidden * layers + method.rank * targets.length
}

/** From this share of the free memory on it is tight: what else runs on the machine grows too. */
const TIGHT = 0.85

export function fitOf(memory: MemoryEstimate | null, device: ComputeDevice | null): RunPlan['fits'] {
  const free = device?.freeBytes ?? null
  if (memory === null || free === null) return 'unknown'
  if (memory.total > free) return 'no'
  return memory.total > TIGHT * free ? 'tight' : 'yes'
}
