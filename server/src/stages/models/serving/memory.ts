import fs from 'node:fs'
import { ggufFacts } from '../../gym/index.ts'

/** What a model takes in memory, in bytes. */
export interface MemoryNeed {
  weights: number
  /** Keys and values of the whole context; null: the file does not say how large they are. */
  cache: number | null
  /** Scores of the words of one batch. */
  scores: number
  total: number
  /** Tokens of the context: the wanted number, or the most that the model can have. */
  context: number
}

/** Python with llama.cpp and no model: 66 MB were measured. */
const PROGRAM = 66e6
/** llama.cpp: keys and values are 16 bit, scores 32 bit, for batches of so many tokens. */
const [CACHE_BYTES, SCORE_BYTES, BATCH] = [2, 4, 512]

/** An estimate from the header of a GGUF file. Layers with a sliding window take less. */
export async function memoryNeed(file: string, wantedContext: number): Promise<MemoryNeed> {
  const weights = fs.statSync(file).size
  const facts = await ggufFacts(file).catch(() => null) // llama.cpp says what is wrong with the file
  const context = Math.min(wantedContext, facts?.contextLength || wantedContext)
  const shape = facts?.architecture
  const cache = shape ? 2 * shape.layers * shape.keyValueHeads * shape.headDim * context * CACHE_BYTES : null
  const scores = shape ? shape.vocabulary * Math.min(BATCH, context) * SCORE_BYTES : 0
  return { weights, cache, scores, total: weights + (cache ?? 0) + scores + PROGRAM, context }
}

/** Why it does not fit, with figures; null if it does. */
export function memoryProblem(label: string, { weights, cache, scores, total, context }: MemoryNeed, free: number): string | null {
  if (total <= free) return null
  const parts = [
    `${sizeText(weights)} of weights`,
    ...(cache === null ? [] : [`${sizeText(cache)} for a context of ${context.toLocaleString('en-US')} tokens`]),
    ...(scores === 0 ? [] : [`${sizeText(scores)} for the words of a batch`]),
    `${sizeText(PROGRAM)} for the program`,
  ]
  return `${label} was not loaded: it needs about ${sizeText(total)} of memory (${parts.join(', ')}), and ${sizeText(free)} are free. Close other programs, choose a shorter context in Settings → Model in Claude Code, or export a smaller GGUF.`
}

const sizeText = (bytes: number) => (bytes < 1e8 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`)
