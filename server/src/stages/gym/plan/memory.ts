import type { ComputeDevice, MemoryEstimate, RunPlan } from '#contracts/entities/run.ts'
import type { TrainMethod } from '#contracts/trainer.ts'
import type { Optim } from '#contracts/train-knobs.ts'
import type { Architecture } from '../base-models/model-facts.ts'
import type { Tensor } from '../base-models/safetensors.ts'
import { gpuMemory } from './memory-gpu.ts'
import { isCheckpointed, type MemoryInput, exchangedBytes, needsReference, rowsAtOnce, rowsOfProcess, targetsOf, TILE, tokensAtOnce, trainableOf, writtenBytes } from './memory-input.ts' // prettier-ignore

const MB = 1e6
/** Bytes that an optimiser keeps of a weight: AdamW two figures of its precision, others fewer or smaller ones. */
const momentsOf = (optim: Optim, precision: number): number => {
  if (optim === 'adafactor') return 0.1 // a row and a column of each matrix
  if (optim === 'lion_8bit') return 1
  if (optim === 'adamw_torch_4bit') return 1
  return optim.endsWith('8bit') ? 2 : 2 * precision
}
const FP32 = 4

/** What the process holds before a model: interpreter, PyTorch, TRL and what they load at first use. Measured. */
const PROCESS_BYTES = 500 * MB
/** What the allocator keeps of freed blocks: as much as went through it, up to this. */
const KEPT_BLOCKS = 110 * MB

/**
 * How much more memory figures take than counted: an allocator that leaves gaps, and copies that are alive for a moment.
 * On the CPU, the way back has up to eight copies of a tile at once.
 * Fitted to 28 measured peaks on the CPU; others are compared with them (bench/memory.ts, docs/performance.md).
 */
const TAKEN = { layer: 1.33, adapter: 1.6, tile: 7.8 }

/** Bytes of a run by part, of the memory of its device (of each GPU, where it has several): a formula over the shape of the model, checked against measured peaks. Null: the shape is not known. */
export function estimateMemory(input: MemoryInput): MemoryEstimate | null {
  const { parameters, architecture } = input.model
  if (parameters === null || architecture === null) return null
  const { device } = input
  const ofOne = device === 'cuda' ? gpuMemory(input, parameters, architecture) : cpuMemory(input, parameters, architecture)
  const processes = device === 'cuda' ? 1 : input.settings.processes // they share the memory of the machine
  const parts = Object.fromEntries(Object.entries(ofOne).map(([name, bytes]) => [name, bytes * processes])) as typeof ofOne
  return { ...parts, total: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) }
}

function cpuMemory(input: MemoryInput, parameters: number, shape: Architecture): Omit<MemoryEstimate, 'total'> {
  const { settings, model, teacher } = input
  const trainable = trainableOf(settings.method, model.tensors, parameters)
  const activations = activationsOf(input, shape)
  const accumulates = rowsAtOnce(input) < rowsOfProcess(input)
  return {
    weights: parameters * FP32 * (needsReference(input) ? 2 : 1),
    adapter: settings.method.kind === 'lora' ? trainable * FP32 : 0,
    optimizer: trainable * momentsOf(settings.optim, FP32),
    // made while the figures they are made from are freed, unless there are some already
    gradients: Math.max(0, trainable * FP32 - (accumulates ? 0 : activations)) + exchangedBytes(input, trainable * FP32),
    activations,
    cache: Math.max(0, writtenBytes(input) - activations),
    teacher: (teacher?.parameters ?? 0) * FP32,
    overhead: PROCESS_BYTES + Math.min(KEPT_BLOCKS, activations),
  }
}

function activationsOf(input: MemoryInput, shape: Architecture): number {
  const { settings, model } = input
  const tokens = tokensAtOnce(input)
  // Kept of each token for the way back, counted in the autograd graph of a decoder layer: four widths of the MLP, six of
  // the hidden state, queries and what attention makes of them, keys and values.
  const { hidden, intermediate, layers, heads, keyValueHeads, headDim } = shape
  const layer = 4 * intermediate + 6 * hidden + 2 * heads * headDim + 2 * keyValueHeads * headDim
  const adapter = adapterFigures(settings.method, model.tensors, shape)
  const all = TAKEN.layer * layers * layer + TAKEN.adapter * adapter
  // with checkpointing each layer keeps its input, and one layer at a time is computed again
  const kept = isCheckpointed(input) ? layers * hidden + all / layers : all
  const tile = Math.min(tokens, TILE.tokens) * Math.min(shape.vocabulary, TILE.words)
  return (tokens * kept + TAKEN.tile * tile) * FP32
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
