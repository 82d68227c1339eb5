import type { MemoryEstimate } from '#contracts/entities/run.ts'
import type { Architecture } from '../base-models/model-facts.ts'
import { exchangedBytes, isCheckpointed, linearNumbers, type MemoryInput, needsReference, rowsAtOnce, rowsOfProcess, TILE, tokensAtOnce, trainableOf, writtenBytes } from './memory-input.ts' // prettier-ignore
import { precisionOf } from './precision.ts'

const BYTES = { float32: 4, bfloat16: 2, float16: 2 } as const
/** nf4 with its scales, which are quantized too: 4 bits, and 8 bits for 64 weights, and 32 bits for 256 of those. */
const NF4 = 0.53
/** What the driver keeps for a process with PyTorch's kernels. */
const CONTEXT_BYTES = 600e6

/** Bytes of the GPU by part: what is kept in it in the types of `precisionOf`, and what one step adds. */
export function gpuMemory(input: MemoryInput, parameters: number, shape: Architecture): Omit<MemoryEstimate, 'total'> {
  const { settings, model, teacher } = input
  const { method } = settings
  const precision = precisionOf(method, { cuda: true, bf16: true }) // float16 takes the same
  const embedding = shape.vocabulary * shape.hidden
  const packable = model.tensors.length > 0 ? linearNumbers(model.tensors) : parameters - embedding
  const packed = precision.weights === 'nf4' ? packable : 0
  const plain = precision.weights === 'nf4' ? precision.compute : precision.weights
  const weights = packed * NF4 + (parameters - packed) * BYTES[plain]

  const trainable = trainableOf(method, model.tensors, parameters)
  // beside 4-bit weights the library holds adapters in 16 bits
  const learned = method.kind === 'lora' ? (method.quantized ? 2 : 4) : BYTES[plain]
  const activations = stepBytes(input, shape, packable)
  const accumulates = rowsAtOnce(input) < rowsOfProcess(input)
  return {
    weights: weights * (needsReference(input) ? 2 : 1),
    adapter: method.kind === 'lora' ? trainable * learned : 0,
    optimizer: momentBytes(input, trainable, learned, embedding),
    gradients: Math.max(0, trainable * learned - (accumulates ? 0 : activations)) + exchangedBytes(input, trainable * learned), // made while activations are freed
    activations,
    cache: Math.max(0, writtenBytes(input) - activations), // freed before the step, which takes its place
    teacher: (teacher?.parameters ?? 0) * BYTES[precision.compute],
    overhead: CONTEXT_BYTES,
  }
}

/** What the optimiser keeps of each weight that learns: AdamW two figures. */
function momentBytes({ settings: { method, optim } }: MemoryInput, trainable: number, learned: number, embedding: number): number {
  const isFull = method.kind === 'full'
  if (optim?.includes('8bit') || (isFull && method.weights === 'bf16')) {
    const wide = isFull ? embedding : 0 // whose moments the library keeps in 32 bits
    return wide * 8 + (trainable - wide) * 2
  }
  return trainable * learned * 2
}

/**
 * Kept of a token for the way back of one layer, in bytes, and what is alive for a moment while it goes back. Counted in
 * the autograd graph of a decoder layer that computes in 16 bits: norms in 32, queries, keys and values before and after
 * rotation, four widths of the MLP. An adapter keeps what came into each of its matrices, and the mask of its dropout.
 */
function layerBytes({ settings: { method } }: MemoryInput, { hidden, intermediate, heads, keyValueHeads, headDim }: Architecture) {
  const attention = 2 * (3 * heads * headDim + 4 * keyValueHeads * headDim)
  const inputs = 5 * hidden + heads * headDim + intermediate
  const adapter = method.kind === 'lora' ? inputs * (method.dropout > 0 ? 3 : 2) : 0
  return { kept: 20 * hidden + attention + 8 * intermediate + adapter, moment: 14 * intermediate }
}

/** What a step adds: layers on their way back, or logits and the loss, whichever is more. */
function stepBytes(input: MemoryInput, shape: Architecture, packable: number): number {
  const { method } = input.settings
  const isFull = method.kind === 'full'
  const isWide = isFull && method.weights !== 'bf16' // what goes from layer to layer has the type of the weights
  const tokens = tokensAtOnce(input)
  const { kept, moment } = layerBytes(input, shape)
  const between = shape.layers * shape.hidden * (isWide ? 4 : 2)
  const [all, one] = isCheckpointed(input) ? [between, kept + moment] : [shape.layers * kept, moment]
  const tile = Math.min(tokens, TILE.tokens) * Math.min(TILE.words, shape.vocabulary) * 2
  const loss = tile + tokens * shape.hidden * 4
  // 16-bit copies of 32-bit weights that the way forth makes; the gradient of the embedding comes from both its ends
  const copies = (isWide ? packable * 2 : 0) + (isFull ? shape.vocabulary * shape.hidden * 4 : 0)
  return tokens * all + Math.max(tokens * one, loss) + copies + logitBytes(input, shape, tokens)
}

/** Divergence from a teacher over recorded answers holds the logits of both models, about twice each. */
const logitBytes = ({ strategy, settings }: MemoryInput, { vocabulary }: Architecture, tokens: number): number =>
  strategy === 'distillation' && settings.distill === 'logits' ? tokens * vocabulary * 4 * 4 : 0
