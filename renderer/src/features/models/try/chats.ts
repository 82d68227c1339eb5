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

const EMPTY_CHAT: Chat = { turns: [], text: '', draft: FIRST_DRAFT }
const PREFIX = 'bashgym.chat.'
const SAVE_MS = 500

interface Chats {
  /** Chats by model ID. */
  byModel: Readonly<Record<string, Chat>>
  /** IDs of models whose chat is too long for the browser's storage. */
  tooLong: ReadonlySet<string>
}

type ChatStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Chats by model, kept in memory and saved to `storage` so that they survive a reload. */
export function createChats(storage: ChatStorage) {
  const store = create<Chats>(() => ({ byModel: {}, tooLong: new Set() }))
  const savers = new Map<string, () => void>()
  const parsedChats = new Map<string, Chat>()

  /** The chat stored before the last reload; each chat is read only once. */
  const stored = (id: string): Chat => {
    const chat = parsedChats.get(id) ?? parse(storage.getItem(`${PREFIX}${id}`))
    parsedChats.set(id, chat)
    return chat
  }
  const chatIn = (chats: Chats, id: string): Chat => chats.byModel[id] ?? stored(id)
  const save = (id: string) => {
    const isSaved = write(storage, `${PREFIX}${id}`, chatIn(store.getState(), id))
    const { tooLong } = store.getState()
    if (isSaved !== tooLong.has(id)) return
    const next = new Set(tooLong)
    if (isSaved) next.delete(id)
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
        return { byModel: { ...chats.byModel, [id]: { ...before, ...change(before) } } }
      })
      const saver = savers.get(id) ?? coalesce(() => save(id), SAVE_MS)
      savers.set(id, saver)
      saver()
    },
    /** Writes every chat at once, because the page is closing. */
    saveAll: () => Object.keys(store.getState().byModel).forEach(save),
  }
}

/** Returns false if the storage is full. */
function write(storage: ChatStorage, key: string, chat: Chat): boolean {
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
  grammar: z.boolean().default(true), // older versions always used the grammar
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

/** Reads a stored chat. An answer that was not finished is marked as stopped, because the reload ended its request. */
function parse(text: string | null): Chat {
  if (text === null) return EMPTY_CHAT
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return EMPTY_CHAT
  }
  const { data } = StoredChat.safeParse(value)
  if (!data) return EMPTY_CHAT
  const asStopped = (answer: Answer): Answer => (isOpen(answer) ? { ...answer, state: 'stopped' } : answer)
  const turns = data.turns.map((turn) => ({
    ...turn,
    answers: Object.fromEntries(Object.entries(turn.answers).map(([side, answer]) => [side, asStopped(answer)])),
  }))
  return { ...data, turns }
}
