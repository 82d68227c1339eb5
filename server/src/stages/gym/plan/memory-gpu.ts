import type { MemoryEstimate } from '#contracts/entities/run.ts'
import type { Architecture } from '../base-models/model-facts.ts'
import { exchangedBytes, isCheckpointed, linearNumbers, type MemoryInput, needsReference, TILE, tokensAtOnce, trainableOf, generationBytes } from './memory-input.ts' // prettier-ignore
import { rowsAtOnce, rowsPerProcess } from './refusals.ts'
import { precisionOf } from './precision.ts'

const BYTES = { float32: 4, bfloat16: 2, float16: 2 } as const
/** Bytes per weight in nf4 with double quantization: 4 bits, 8 bits per 64 weights, and 32 bits per 256 of these blocks. */
const NF4 = 0.53
/** Memory that the driver uses for a process with PyTorch's kernels. */
const CONTEXT_BYTES = 600e6

/** Bytes on the GPU by part: the stored weights in the types of `precisionOf`, and what one step adds. */
export function gpuMemory(input: MemoryInput, parameters: number, shape: Architecture): Omit<MemoryEstimate, 'total'> {
  const { settings, model, teacher } = input
  const { method } = settings
  const precision = precisionOf(method, { cuda: true, bf16: true }) // float16 has the same size
  const embedding = shape.vocabulary * shape.hidden
  const quantizable = model.tensors.length > 0 ? linearNumbers(model.tensors) : parameters - embedding
  const quantized = precision.weights === 'nf4' ? quantizable : 0
  const plainType = precision.weights === 'nf4' ? precision.compute : precision.weights
  const weights = quantized * NF4 + (parameters - quantized) * BYTES[plainType]

  const trainable = trainableOf(method, model.tensors, parameters)
  // with 4-bit weights, the library keeps adapters in 16 bits
  const bytesPerTrainable = method.kind === 'lora' ? (method.quantized ? 2 : 4) : BYTES[plainType]
  const activations = stepBytes(input, shape, quantizable)
  const accumulates = rowsAtOnce(settings) < rowsPerProcess(settings)
  return {
    weights: weights * (needsReference(input) ? 2 : 1),
    adapter: method.kind === 'lora' ? trainable * bytesPerTrainable : 0,
    optimizer: momentBytes(input, trainable, bytesPerTrainable, embedding),
    gradients:
      Math.max(0, trainable * bytesPerTrainable - (accumulates ? 0 : activations)) + exchangedBytes(input, trainable * bytesPerTrainable), // they replace freed activations
    activations,
    cache: Math.max(0, generationBytes(input) - activations), // freed before the step
    teacher: (teacher?.parameters ?? 0) * BYTES[precision.compute],
    overhead: CONTEXT_BYTES,
  }
}

/** Bytes of the optimiser's moments: two numbers for each trainable weight. */
function momentBytes({ settings: { method, optim } }: MemoryInput, trainable: number, learned: number, embedding: number): number {
  const isFull = method.kind === 'full'
  if (optim?.includes('8bit') || (isFull && method.weights === 'bf16')) {
    const embeddingWeights = isFull ? embedding : 0 // the library keeps the moments of embeddings in 32 bits
    return embeddingWeights * 8 + (trainable - embeddingWeights) * 2
  }
  return trainable * learned * 2
}

/**
 * Bytes per token that one layer keeps for the backward pass, and that exist briefly during it. Counted in the autograd
 * graph of a decoder layer that computes in 16 bits: norms in 32 bits, queries, keys and values before and after rotation,
 * four widths of the MLP. An adapter keeps the input of each of its matrices, and the mask of its dropout.
 */
function layerBytes({ settings: { method } }: MemoryInput, { hidden, intermediate, heads, keyValueHeads, headDim }: Architecture) {
  const attention = 2 * (3 * heads * headDim + 4 * keyValueHeads * headDim)
  const inputs = 5 * hidden + heads * headDim + intermediate
  const adapter = method.kind === 'lora' ? inputs * (method.dropout > 0 ? 3 : 2) : 0
  return { kept: 20 * hidden + attention + 8 * intermediate + adapter, moment: 14 * intermediate }
}

/** Bytes that a step adds: the larger of a layer's backward pass and the loss with its logits, and what all layers keep. */
function stepBytes(input: MemoryInput, shape: Architecture, packable: number): number {
  const { method } = input.settings
  const isFull = method.kind === 'full'
  const isWide = isFull && method.weights !== 'bf16' // hidden states have the type of the weights
  const tokens = tokensAtOnce(input)
  const { kept, moment } = layerBytes(input, shape)
  const hiddenStates = shape.layers * shape.hidden * (isWide ? 4 : 2)
  const [all, one] = isCheckpointed(input) ? [hiddenStates, kept + moment] : [shape.layers * kept, moment]
  const tile = Math.min(tokens, TILE.tokens) * Math.min(TILE.words, shape.vocabulary) * 2
  const loss = tile + tokens * shape.hidden * 4
  // the forward pass copies 32-bit weights in 16 bits; the embedding has two gradients, from input and output
  const copies = (isWide ? packable * 2 : 0) + (isFull ? shape.vocabulary * shape.hidden * 4 : 0)
  return tokens * all + Math.max(tokens * one, loss) + copies + logitBytes(input, shape, tokens)
}

/** Distillation over recorded answers needs the logits of both models, about twice each. */
const logitBytes = ({ strategy, settings }: MemoryInput, { vocabulary }: Architecture, tokens: number): number =>
  strategy === 'distillation' && settings.distill === 'logits' ? tokens * vocabulary * 4 * 4 : 0
