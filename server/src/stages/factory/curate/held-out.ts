import type { ChatMessage } from '#contracts/entities/example.ts'
import { messagesOf, type DataRow } from './candidate.ts'
import { textOfMessage, tokensOf } from './text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'

/** Tokens of the n-grams that must not be shared; a shorter text counts as one n-gram of all its tokens. */
const LONG = 13
const SHORT = 3
const MAX_ALIKE = 0.7

/** One item that must stay out of training: a benchmark task, an exam question. */
export interface HeldOutItem {
  /** How it is named in the list of what was removed, e.g. `humaneval.jsonl:12`. */
  name: string
  texts: string[]
}

export interface Meeting {
  name: string
  /** What they share: the n-gram's words, or how alike they are. */
  shared: string
}

/** Names of fields that say what an item is, not what it asks. */
const LABELS = new Set(['id', 'task_id', 'taskId', 'role', 'type', 'name', 'entry_point', 'source', 'split', 'tool_call_id'])

/** Every text of a held-out item, whatever its shape: a string, or the strings of its fields. */
export function textsOfItem(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOfItem)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (LABELS.has(key) ? [] : textsOfItem(inner)))
}

/**
 * Decontamination: finds what a row shares with held-out items: a 13-gram, or a 3-gram Jaccard index of at least .7 in
 * any one message or in all of it. A held-out text of fewer than 13 tokens is met by a text of just these tokens,
 * among what the user asks; answers that short ("42", "done") are no evidence.
 */
export function createHeldOut(items: readonly HeldOutItem[]) {
  const long = new Map<number, number>()
  const texts: { item: number; grams: Set<number> }[] = []
  const holders = new Map<number, number[]>()
  items.forEach((item, index) => {
    for (const text of item.texts) {
      const tokens = tokensOf(text)
      if (tokens.length === 0) continue
      for (const { key } of gramsOf(tokens, LONG)) if (!long.has(key)) long.set(key, index)
      const grams = new Set([...gramsOf(tokens, SHORT)].map(({ key }) => key))
      if (tokens.length >= LONG) {
        for (const gram of grams) holders.set(gram, [...(holders.get(gram) ?? []), texts.length])
        texts.push({ item: index, grams })
      }
    }
  })

  const sharesLong = (tokens: string[], only: (count: number) => boolean): Meeting | null => {
    for (const { key, start, count } of gramsOf(tokens, LONG)) {
      const item = only(count) ? long.get(key) : undefined
      if (item !== undefined) return { name: items[item]!.name, shared: tokens.slice(start, start + count).join(' ') }
    }
    return null
  }
  const isAlike = (tokens: string[]): Meeting | null => {
    const grams = new Set([...gramsOf(tokens, SHORT)].map(({ key }) => key))
    const counts = new Map<number, number>()
    for (const gram of grams) for (const text of holders.get(gram) ?? []) counts.set(text, (counts.get(text) ?? 0) + 1)
    for (const [text, shared] of counts) {
      const { item, grams: others } = texts[text]!
      const likeness = shared / (grams.size + others.size - shared)
      if (likeness >= MAX_ALIKE) return { name: items[item]!.name, shared: `${likeness.toFixed(2)} of the 3-grams match` }
    }
    return null
  }

  return {
    size: items.length,
    /** What the row meets first, null when it is clean. */
    met(row: DataRow): Meeting | null {
      if (long.size === 0) return null
      const spoken = messagesOf(row).filter(({ role }) => role !== 'system')
      const whole = spoken.map(textOfMessage).join('\n')
      const parts: { tokens: string[]; asked: boolean }[] = [
        ...spoken.map((message: ChatMessage) => ({ tokens: tokensOf(textOfMessage(message)), asked: message.role === 'user' })),
        { tokens: tokensOf(whole), asked: true },
      ]
      for (const { tokens, asked } of parts) {
        const meeting = sharesLong(tokens, (count) => asked || count >= LONG) ?? isAlike(tokens)
        if (meeting) return meeting
      }
      return null
    },
  }
}

export type HeldOut = ReturnType<typeof createHeldOut>

/** Keys of all n-grams: two rolling hashes (polynomials modulo 2³²) as one number of 53 bits. */
function* gramsOf(tokens: readonly string[], length: number): Generator<{ key: number; start: number; count: number }> {
  const count = Math.min(length, tokens.length)
  if (count === 0) return
  const [one, two] = [rolling(tokens, count, 0x9e3779b1, 1), rolling(tokens, count, 0x85ebca77, 2)]
  for (let start = 0; start + count <= tokens.length; start += 1) {
    yield { key: one.next().value! * 2 ** 21 + (two.next().value! >>> 11), start, count }
  }
}

function* rolling(tokens: readonly string[], count: number, base: number, seed: number): Generator<number, undefined> {
  const values = tokens.map((token) => hash32(token, seed))
  let top = 1
  for (let power = 1; power < count; power += 1) top = Math.imul(top, base)
  let value = 0
  for (let at = 0; at < values.length; at += 1) {
    if (at >= count) value = (value - Math.imul(values[at - count]!, top)) | 0
    value = (Math.imul(value, base) + values[at]!) | 0
    if (at >= count - 1) yield value >>> 0
  }
  return undefined
}
