import { z } from 'zod'
import { create } from 'zustand'
import { coalesce } from '#renderer/api/coalesce.ts'
import { isOpen, type Answer, type Turn } from './conversation.ts'
import { FIRST_DRAFT, type TryDraft } from './draft.ts'

/** The stored chat of one model: its turns, the unsent text and the settings. */
export interface Chat {
  turns: readonly Turn[]
  text: string
  draft: TryDraft
}

const NONE: Chat = { turns: [], text: '', draft: FIRST_DRAFT }
const PREFIX = 'bashgym.chat.'
const SAVE_MS = 500

interface Chats {
  /** By model. */
  of: Readonly<Record<string, Chat>>
  /** Models whose chat has grown too long for the browser to keep over a reload. */
  tooLong: ReadonlySet<string>
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Chats by model: here while the page is, and in `storage` over a reload of it. */
export function createChats(storage: Kept) {
  const store = create<Chats>(() => ({ of: {}, tooLong: new Set() }))
  const savers = new Map<string, () => void>()
  const read = new Map<string, Chat>()

  /** The chat stored before a reload; read once. */
  const stored = (id: string): Chat => {
    const known = read.get(id) ?? parse(storage.getItem(`${PREFIX}${id}`))
    read.set(id, known)
    return known
  }
  const chatIn = (chats: Chats, id: string): Chat => chats.of[id] ?? stored(id)
  const save = (id: string) => {
    const isKept = write(storage, `${PREFIX}${id}`, chatIn(store.getState(), id))
    const { tooLong } = store.getState()
    if (isKept !== tooLong.has(id)) return
    const next = new Set(tooLong)
    if (isKept) next.delete(id)
    else next.add(id)
    store.setState({ tooLong: next })
  }
  return {
    store,
    chatIn,
    get: (id: string): Chat => chatIn(store.getState(), id),
    change: (id: string, change: (chat: Chat) => Partial<Chat>): void => {
      store.setState((chats) => {
        const before = chatIn(chats, id)
        return { of: { ...chats.of, [id]: { ...before, ...change(before) } } }
      })
      const saver = savers.get(id) ?? coalesce(() => save(id), SAVE_MS)
      savers.set(id, saver)
      saver()
    },
    /** Writes every pending chat at once, because the page is closing. */
    saveAll: () => Object.keys(store.getState().of).forEach(save),
  }
}

/** False if there is no room. */
function write(storage: Kept, key: string, chat: Chat): boolean {
  try {
    if (chat.turns.length === 0 && chat.text === '') storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(chat))
    return true
  } catch {
    storage.removeItem(key) // an older stored chat would be wrong after a reload
    return false
  }
}

const Figure = z.number().nullable()
const StoredAnswer: z.ZodType<Answer> = z.object({
  state: z.enum(['waiting', 'streaming', 'done', 'stopped', 'failed']),
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.unknown(), raw: z.string() })),
  tokens: Figure,
  ms: Figure,
  firstTokenMs: Figure,
  tokensPerSec: Figure,
  error: z.string().nullable(),
  grammar: z.boolean().default(true), // as it was before there was a choice
  raw: z.string().nullable().default(null),
  cut: z.boolean().default(false),
})
const StoredChat = z.object({
  turns: z.array(
    z.object({ id: z.string(), role: z.enum(['user', 'tool']), text: z.string(), answers: z.record(z.string(), StoredAnswer) }),
  ),
  text: z.string(),
  draft: z.object({
    temperature: z.string(),
    maxTokens: z.string(),
    seed: z.string(),
    system: z.string(),
    tools: z.string().nullable(),
    grammar: z.boolean().default(false),
  }),
})

/** An answer that was still coming ended with the page that listened to it. */
function parse(text: string | null): Chat {
  if (text === null) return NONE
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return NONE
  }
  const { data } = StoredChat.safeParse(read)
  if (!data) return NONE
  const ended = (answer: Answer): Answer => (isOpen(answer) ? { ...answer, state: 'stopped' } : answer)
  const turns = data.turns.map((turn) => ({
    ...turn,
    answers: Object.fromEntries(Object.entries(turn.answers).map(([side, answer]) => [side, ended(answer)])),
  }))
  return { ...data, turns }
}
