import type { TrainMethod, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { ModelFacts } from '../base-models/model-facts.ts'
import { countOf, type Tensor } from '../base-models/safetensors.ts'
import { generatesAnswers, rowsAtOnce, rowsPerProcess } from './refusals.ts'

/** Settings that runs of earlier versions lack. */
interface RecentSettings {
  activationCheckpointing: 'auto' | 'on' | 'off'
  optim: string
}

export interface MemoryInput {
  strategy: TrainStrategy
  settings: TrainSettings & Partial<RecentSettings>
  model: Pick<ModelFacts, 'architecture' | 'parameters' | 'tensors' | 'bytes'>
  teacher: Pick<ModelFacts, 'parameters'> | null
  /** Longest row in tokens, or longest prompt if the model generates answers; null if unknown. */
  longest: number | null
  device: 'cpu' | 'cuda'
}

/** Bytes of the copies of gradients that processes exchange. */
export const exchangedBytes = ({ settings }: MemoryInput, gradients: number): number => (settings.processes > 1 ? gradients : 0)

/** Tokens computed at once. */
export function tokensAtOnce(input: MemoryInput): number {
  const { strategy, settings, longest } = input
  const { maxLength, maxCompletion } = settings
  const sides = strategy === 'dpo' ? 2 : 1 // chosen and rejected are computed together
  const isGenerated = generatesAnswers(input)
  const prompt = Math.min(longest ?? maxLength, isGenerated ? Math.max(0, maxLength - maxCompletion) : maxLength)
  return rowsAtOnce(settings) * sides * (prompt + (isGenerated ? maxCompletion : 0))
}

/** Whether activations are recomputed instead of kept. */
export const isCheckpointed = ({ settings, device }: MemoryInput): boolean => {
  const choice = settings.activationCheckpointing ?? 'auto'
  return choice === 'auto' ? device === 'cuda' : choice === 'on'
}

/** Whether the base weights are in memory twice, as a reference. With an adapter, switching it off gives the reference. */
export function needsReference({ strategy, settings }: MemoryInput): boolean {
  const isRewarded = strategy === 'grpo' || strategy === 'rlvr'
  const compares = strategy === 'dpo' || strategy === 'kto' || (isRewarded && (settings.beta ?? 0) > 0)
  return compares && settings.method.kind === 'full'
}

const isLinear = ({ name, shape }: Tensor) => shape.length === 2 && name.endsWith('.weight') && !/(?:^|\.)(?:embed_tokens|wte|wpe|lm_head)\.weight$/.test(name) // prettier-ignore

/** Number of weights that can be quantized to 4 bits: all matrices except embeddings and the output head. */
export const linearNumbers = (tensors: readonly Tensor[]): number => tensors.filter(isLinear).reduce((sum, one) => sum + countOf(one), 0)

/** Number of trainable weights: an adapter has rank × (rows + columns) for every matrix that it adapts. */
export function trainableOf(method: TrainMethod, tensors: readonly Tensor[], parameters: number): number {
  if (method.kind === 'full') return parameters
  return targetsOf(method, tensors).reduce((sum, { shape: [out = 0, into = 0] }) => sum + method.rank * (out + into), 0)
}

/** Matrices that get an adapter. */
export function targetsOf(method: TrainMethod & { kind: 'lora' }, tensors: readonly Tensor[]): Tensor[] {
  const linear = tensors.filter(isLinear)
  const { targets } = method
  if (targets === 'all-linear') return linear
  return linear.filter(({ name }) => targets.some((target) => name === `${target}.weight` || name.endsWith(`.${target}.weight`)))
}

/**
 * TRL computes logits in tiles of this many tokens and words of the vocabulary (`trl/kernels/chunked_logprob.py`). On a
 * GPU a tile always has this width, and is changed in place.
 */
export const TILE = { tokens: 4096, words: 32_768 }

/** Bytes for generating all answers of a step at once: their keys and values, and the probabilities of the next token. */
export function generationBytes(input: MemoryInput): number {
  const { settings, longest, model, device } = input
  if (!generatesAnswers(input) || model.architecture === null) return 0
  const { layers, keyValueHeads, headDim, vocabulary } = model.architecture
  const { maxLength, maxCompletion } = settings
  const tokens = Math.min(longest ?? maxLength, Math.max(0, maxLength - maxCompletion)) + maxCompletion
  const cache = 2 * layers * keyValueHeads * headDim * (device === 'cpu' ? 4 : 2) * tokens
  return rowsPerProcess(settings) * (cache + vocabulary * 4 * 3)
}
