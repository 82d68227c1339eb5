import type { TrainMethod, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { ModelFacts } from '../base-models/model-facts.ts'
import { countOf, type Tensor } from '../base-models/safetensors.ts'
import { answersItself, microOf, shareOf } from './refusals.ts'

/** Of the settings that not every run has. */
interface Knobs {
  activationCheckpointing: 'auto' | 'on' | 'off'
  optim: string
}

export interface MemoryInput {
  strategy: TrainStrategy
  settings: TrainSettings & Partial<Knobs>
  model: Pick<ModelFacts, 'architecture' | 'parameters' | 'tensors' | 'bytes'>
  teacher: Pick<ModelFacts, 'parameters'> | null
  /** Longest row in tokens, as far as it is known; of strategies that write answers the longest prompt. */
  longest: number | null
  device: 'cpu' | 'cuda'
}

export const rowsAtOnce = ({ settings }: MemoryInput): number => microOf(settings)

/** Rows of a step that one process has. */
export const rowsOfProcess = ({ settings }: MemoryInput): number => shareOf(settings)

/** Copies of gradients that processes exchange. */
export const exchangedBytes = ({ settings }: MemoryInput, gradients: number): number => (settings.processes > 1 ? gradients : 0)

/** Tokens that go through at once. */
export function tokensAtOnce(input: MemoryInput): number {
  const { strategy, settings, longest } = input
  const { maxLength, maxCompletion } = settings
  const sides = strategy === 'dpo' ? 2 : 1 // chosen and rejected go through together
  const isWritten = answersItself(input)
  const prompt = Math.min(longest ?? maxLength, isWritten ? Math.max(0, maxLength - maxCompletion) : maxLength)
  return rowsAtOnce(input) * sides * (prompt + (isWritten ? maxCompletion : 0))
}

/** Whether what a layer made is computed again rather than kept. */
export const isCheckpointed = ({ settings, device }: MemoryInput): boolean => {
  const asked = settings.activationCheckpointing ?? 'auto'
  return asked === 'auto' ? device === 'cuda' : asked === 'on'
}

/** Whether the base weights are in memory twice: preferences are compared with them, unless an adapter need only be switched off for it. */
export function needsReference({ strategy, settings }: MemoryInput): boolean {
  const isRewarded = strategy === 'grpo' || strategy === 'rlvr'
  const compares = strategy === 'dpo' || strategy === 'kto' || (isRewarded && (settings.beta ?? 0) > 0)
  return compares && settings.method.kind === 'full'
}

const isLinear = ({ name, shape }: Tensor) => shape.length === 2 && name.endsWith('.weight') && !/(?:^|\.)(?:embed_tokens|wte|wpe|lm_head)\.weight$/.test(name) // prettier-ignore

/** Numbers in the matrices that can be packed in 4 bits: all but embeddings and the head. */
export const linearNumbers = (tensors: readonly Tensor[]): number => tensors.filter(isLinear).reduce((sum, one) => sum + countOf(one), 0)

/** Weights that learn: of an adapter, rank times both sides of every matrix that it goes beside. */
export function trainableOf(method: TrainMethod, tensors: readonly Tensor[], parameters: number): number {
  if (method.kind === 'full') return parameters
  return targetsOf(method, tensors).reduce((sum, { shape: [out = 0, into = 0] }) => sum + method.rank * (out + into), 0)
}

/** Matrices that adapters go beside. */
export function targetsOf(method: TrainMethod & { kind: 'lora' }, tensors: readonly Tensor[]): Tensor[] {
  const linear = tensors.filter(isLinear)
  const { targets } = method
  if (targets === 'all-linear') return linear
  return linear.filter(({ name }) => targets.some((target) => name === `${target}.weight` || name.endsWith(`.${target}.weight`)))
}

/**
 * TRL never holds the logits of a whole batch: it makes them a tile of so many tokens and words of the vocabulary at a
 * time (`trl/kernels/chunked_logprob.py`). On a GPU a tile is always this wide, and changed in place.
 */
export const TILE = { tokens: 4096, words: 32_768 }

/** Keys and values of all answers of a step, which are written at once, and the likelihoods of their next words. */
export function writtenBytes(input: MemoryInput): number {
  const { settings, longest, model, device } = input
  if (!answersItself(input) || model.architecture === null) return 0
  const { layers, keyValueHeads, headDim, vocabulary } = model.architecture
  const { maxLength, maxCompletion } = settings
  const tokens = Math.min(longest ?? maxLength, Math.max(0, maxLength - maxCompletion)) + maxCompletion
  const cache = 2 * layers * keyValueHeads * headDim * (device === 'cpu' ? 4 : 2) * tokens
  return shareOf(settings) * (cache + vocabulary * 4 * 3)
}
