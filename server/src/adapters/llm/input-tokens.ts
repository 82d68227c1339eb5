import { hash } from 'node:crypto'

/** A part of a request, with the most tokens that it can have. A later request of a conversation begins with the same parts. */
export interface RequestPart {
  text: string
  tokens: number
}

export interface InputTokens {
  /** The most input tokens of a request: those of an earlier request that it begins with, and the most of each further part. */
  most(parts: readonly RequestPart[]): number
  /** Records the input tokens that the endpoint counted. */
  measured(parts: readonly RequestPart[], tokens: number): void
}

/** No token of a byte-level tokenizer is shorter than a byte. */
export const textPart = (text: string): RequestPart => ({ text, tokens: Buffer.byteLength(text) })

/** Endpoints add a few tokens of their own. */
const ADDED_TOKENS = 50
const MAX_MEASURED = 1000

export function createInputTokens(): InputTokens {
  /** By the hash of all parts of a request. */
  const counts = new Map<string, number>()
  return {
    most(parts) {
      let after = ADDED_TOKENS + parts.reduce((sum, { tokens }) => sum + tokens, 0)
      let most = after
      let prefix = ''
      for (const part of parts) {
        prefix = next(prefix, part)
        after -= part.tokens
        most = Math.min(most, (counts.get(prefix) ?? Infinity) + after)
      }
      return most
    },
    measured(parts, tokens) {
      const key = parts.reduce(next, '')
      counts.delete(key)
      counts.set(key, tokens)
      if (counts.size > MAX_MEASURED) counts.delete(counts.keys().next().value!)
    },
  }
}

const next = (prefix: string, { text }: RequestPart): string => hash('sha256', `${prefix}\n${text}`)
