import type { ChatMessage } from '#contracts/entities/example.ts'
import { messagesOf, type DataRow } from './candidate.ts'
import { textOfMessage, tokensOf } from './text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'

/** Length of an n-gram that a row must not share with a held-out item. A shorter text is a single n-gram. */
export const NGRAM_TOKENS = 13
/** Length of the n-grams that the similarity of two texts is computed from. */
const SIMILARITY_TOKENS = 3
const MAX_SIMILARITY = 0.7

/** An item that must stay out of training, such as a benchmark task. */
export interface HeldOutItem {
  /** Its name in the list of dropped rows, e.g. `humaneval.jsonl:12`. */
  name: string
  texts: string[]
  /** True: only similar texts overlap, because sessions on one repository share passages. */
  similarOnly?: boolean
}

export interface Overlap {
  name: string
  /** The shared n-gram's words, or the similarity. */
  shared: string
}

/** Fields that label an item and are not part of its text. */
const LABEL_FIELDS = new Set(['id', 'task_id', 'taskId', 'role', 'type', 'name', 'entry_point', 'source', 'split', 'tool_call_id'])

/** The texts of a recorded row: the whole, and its prompts. */
export function textsOfRow(messages: readonly ChatMessage[]): string[] {
  const spoken = messages.filter(({ role }) => role !== 'system')
  return [spoken.map(textOfMessage).join('\n'), ...spoken.flatMap(({ role, content }) => (role === 'user' ? [content] : []))]
}

/** All texts of a held-out item: a string, or the strings of its fields. */
export function textsOfItem(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOfItem)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (LABEL_FIELDS.has(key) ? [] : textsOfItem(inner)))
}

/**
 * Decontamination: a row overlaps with a held-out item if they share a 13-gram, or if a message or the whole row has a
 * 3-gram Jaccard index of at least .7 with it. A held-out text of fewer than 13 tokens counts only in user messages and the
 * whole row, because answers that short ("42", "done") prove nothing.
 */
export function createHeldOut(items: readonly HeldOutItem[]) {
  const itemByNgram = new Map<number, number>()
  const texts: { item: number; grams: Set<number> }[] = []
  const textsByGram = new Map<number, number[]>()
  items.forEach((item, index) => {
    for (const text of item.texts) {
      const tokens = tokensOf(text)
      if (tokens.length === 0) continue
      if (!item.similarOnly) for (const { key } of gramsOf(tokens, NGRAM_TOKENS)) if (!itemByNgram.has(key)) itemByNgram.set(key, index)
      const grams = new Set([...gramsOf(tokens, SIMILARITY_TOKENS)].map(({ key }) => key))
      if (tokens.length >= NGRAM_TOKENS) {
        for (const gram of grams) textsByGram.set(gram, [...(textsByGram.get(gram) ?? []), texts.length])
        texts.push({ item: index, grams })
      }
    }
  })

  const findSharedNgram = (tokens: string[], isEvidence: (count: number) => boolean): Overlap | null => {
    for (const { key, start, count } of gramsOf(tokens, NGRAM_TOKENS)) {
      const item = isEvidence(count) ? itemByNgram.get(key) : undefined
      if (item !== undefined) return { name: items[item]!.name, shared: tokens.slice(start, start + count).join(' ') }
    }
    return null
  }
  const findSimilarText = (tokens: string[]): Overlap | null => {
    const grams = new Set([...gramsOf(tokens, SIMILARITY_TOKENS)].map(({ key }) => key))
    const counts = new Map<number, number>()
    for (const gram of grams) for (const text of textsByGram.get(gram) ?? []) counts.set(text, (counts.get(text) ?? 0) + 1)
    for (const [text, shared] of counts) {
      const { item, grams: textGrams } = texts[text]!
      const likeness = shared / (grams.size + textGrams.size - shared)
      if (likeness >= MAX_SIMILARITY) return { name: items[item]!.name, shared: `${likeness.toFixed(2)} of the 3-grams match` }
    }
    return null
  }

  return {
    size: items.length,
    /** The first overlap of the row; null if there is none. */
    overlapOf(row: DataRow): Overlap | null {
      if (items.length === 0) return null
      const messages = messagesOf(row).filter(({ role }) => role !== 'system')
      const fullText = messages.map(textOfMessage).join('\n')
      const parts: { tokens: string[]; isFromUser: boolean }[] = [
        ...messages.map((message: ChatMessage) => ({ tokens: tokensOf(textOfMessage(message)), isFromUser: message.role === 'user' })),
        { tokens: tokensOf(fullText), isFromUser: true },
      ]
      for (const { tokens, isFromUser } of parts) {
        const overlap = findSharedNgram(tokens, (count) => isFromUser || count >= NGRAM_TOKENS) ?? findSimilarText(tokens)
        if (overlap) return overlap
      }
      return null
    },
  }
}

export type HeldOut = ReturnType<typeof createHeldOut>

/** Keys of all n-grams: two rolling hashes (polynomials modulo 2³²) combined into one 53-bit number. */
export function* gramsOf(tokens: readonly string[], length: number): Generator<{ key: number; start: number; count: number }> {
  const count = Math.min(length, tokens.length)
  if (count === 0) return
  const [one, two] = [rollingHashes(tokens, count, 0x9e3779b1, 1), rollingHashes(tokens, count, 0x85ebca77, 2)]
  for (let start = 0; start + count <= tokens.length; start += 1) {
    yield { key: one.next().value! * 2 ** 21 + (two.next().value! >>> 11), start, count }
  }
}

function* rollingHashes(tokens: readonly string[], count: number, base: number, seed: number): Generator<number, undefined> {
  const values = tokens.map((token) => hash32(token, seed))
  let topFactor = 1
  for (let power = 1; power < count; power += 1) topFactor = Math.imul(topFactor, base)
  let value = 0
  for (let at = 0; at < values.length; at += 1) {
    if (at >= count) value = (value - Math.imul(values[at - count]!, topFactor)) | 0
    value = (Math.imul(value, base) + values[at]!) | 0
    if (at >= count - 1) yield value >>> 0
  }
  return undefined
}
