import type { ComputeDevice, MemoryEstimate, RunPlan } from '#contracts/entities/run.ts'
import type { TrainMethod } from '#contracts/trainer.ts'
import type { Optim } from '#contracts/train-knobs.ts'
import type { Architecture } from '../base-models/model-facts.ts'
import type { Tensor } from '../base-models/safetensors.ts'
import { gpuMemory } from './memory-gpu.ts'
import { isCheckpointed, type MemoryInput, exchangedBytes, needsReference, targetsOf, TILE, tokensAtOnce, trainableOf, generationBytes } from './memory-input.ts' // prettier-ignore
import { rowsAtOnce, rowsPerProcess } from './refusals.ts'

const MB = 1e6
/** Bytes that an optimiser stores for each weight. AdamW stores two numbers in `precision`, others fewer or smaller ones. */
const momentsOf = (optim: Optim, precision: number): number => {
  if (optim === 'adafactor') return 0.1 // a row and a column of each matrix
  if (optim === 'lion_8bit') return 1
  if (optim === 'adamw_torch_4bit') return 1
  return optim.endsWith('8bit') ? 2 : 2 * precision
}
const FP32 = 4

/** Memory of the process before it loads a model: interpreter, PyTorch, TRL. Measured. */
const PROCESS_BYTES = 500 * MB
/** The allocator keeps at most this much of freed blocks. */
const MAX_KEPT_BLOCKS = 110 * MB

/**
 * How much more memory activations take than counted, because of allocator gaps and short-lived copies: on the CPU, the
 * backward pass has up to eight copies of a tile at once.
 * Fitted to 28 measured peaks on the CPU, and checked against others (bench/memory.ts, docs/performance.md).
 */
const MEASURED_FACTORS = { layer: 1.33, adapter: 1.6, tile: 7.8 }

/** Bytes of a run by part, in the memory of its device (of each GPU if there are several). Null if the model's shape is unknown. */
export function estimateMemory(input: MemoryInput): MemoryEstimate | null {
  const { parameters, architecture } = input.model
  if (parameters === null || architecture === null) return null
  const { device } = input
  const perDevice = device === 'cuda' ? gpuMemory(input, parameters, architecture) : cpuMemory(input, parameters, architecture)
  const processes = device === 'cuda' ? 1 : input.settings.processes // on the CPU, all share the machine's memory
  const parts = Object.fromEntries(Object.entries(perDevice).map(([name, bytes]) => [name, bytes * processes])) as typeof perDevice
  return { ...parts, total: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) }
}

function cpuMemory(input: MemoryInput, parameters: number, shape: Architecture): Omit<MemoryEstimate, 'total'> {
  const { settings, model, teacher } = input
  const trainable = trainableOf(settings.method, model.tensors, parameters)
  const activations = activationsOf(input, shape)
  const accumulates = rowsAtOnce(settings) < rowsPerProcess(settings)
  return {
    weights: parameters * FP32 * (needsReference(input) ? 2 : 1),
    adapter: settings.method.kind === 'lora' ? trainable * FP32 : 0,
    optimizer: trainable * momentsOf(settings.optim, FP32),
    // without accumulation, gradients take the place of freed activations
    gradients: Math.max(0, trainable * FP32 - (accumulates ? 0 : activations)) + exchangedBytes(input, trainable * FP32),
    activations,
    cache: Math.max(0, generationBytes(input) - activations),
    teacher: (teacher?.parameters ?? 0) * FP32,
    overhead: PROCESS_BYTES + Math.min(MAX_KEPT_BLOCKS, activations),
  }
}

function activationsOf(input: MemoryInput, shape: Architecture): number {
  const { settings, model } = input
  const tokens = tokensAtOnce(input)
  // Numbers kept per token for the backward pass, counted in the autograd graph of a decoder layer: four widths of the MLP,
  // six of the hidden state, queries and the attention output, keys and values.
  const { hidden, intermediate, layers, heads, keyValueHeads, headDim } = shape
  const layer = 4 * intermediate + 6 * hidden + 2 * heads * headDim + 2 * keyValueHeads * headDim
  const adapter = adapterFigures(settings.method, model.tensors, shape)
  const layersTotal = MEASURED_FACTORS.layer * layers * layer + MEASURED_FACTORS.adapter * adapter
  // with checkpointing, each layer keeps only its input, and one layer at a time is recomputed
  const perToken = isCheckpointed(input) ? layers * hidden + layersTotal / layers : layersTotal
  const tile = Math.min(tokens, TILE.tokens) * Math.min(shape.vocabulary, TILE.words)
  return (tokens * perToken + MEASURED_FACTORS.tile * tile) * FP32
}

/** Numbers that the adapters of all layers keep per token: their outputs, and with dropout their inputs. */
function adapterFigures(method: TrainMethod, tensors: readonly Tensor[], { hidden, layers }: Architecture): number {
  if (method.kind === 'full') return 0
  const targets = targetsOf(method, tensors)
  const inputs = method.dropout > 0 ? targets.reduce((sum, { shape: [, into = 0] }) => sum + into, 0) : 0
  return inputs + 2 * hidden * layers + method.rank * targets.length
}

/** Above this share of the memory the fit is tight, because other programs grow too. */
const TIGHT = 0.85
/** The share of the installed memory that a run can have; the system needs the rest. */
const USABLE = 0.95

/** The memory that a run can have if other programs are closed; the same at any time. */
export const usableBytes = (device: ComputeDevice | null): number | null =>
  device === null || device.totalBytes === null ? (device?.freeBytes ?? null) : USABLE * device.totalBytes

/** Whether it fits the installed memory. */
export const fitOf = (memory: MemoryEstimate | null, device: ComputeDevice | null): RunPlan['fits'] => fitIn(memory, usableBytes(device))

/** Whether it fits the memory that is free now. */
export const fitNow = (memory: MemoryEstimate | null, device: ComputeDevice | null): RunPlan['fits'] =>
  fitIn(memory, device?.freeBytes ?? null)

function fitIn(memory: MemoryEstimate | null, bytes: number | null): RunPlan['fits'] {
  if (memory === null || bytes === null) return 'unknown'
  if (memory.total > bytes) return 'no'
  return memory.total > TIGHT * bytes ? 'tight' : 'yes'
}
