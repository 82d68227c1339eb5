import { beforeEach, expect, test } from 'vitest'
import { createChats } from './chats.ts'
import { WAITING, type Turn } from './conversation.ts'

let stored: Map<string, string>
let quota: number
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem(key: string, value: string) {
    if (value.length > quota) throw new DOMException('full', 'QuotaExceededError')
    stored.set(key, value)
  },
  removeItem: (key: string) => void stored.delete(key),
}
beforeEach(() => {
  stored = new Map()
  quota = Infinity
})

const turn = (id: string, text: string): Turn => ({
  id,
  role: 'user',
  text,
  answers: { trained: { ...WAITING, state: 'done', text: 'yes' } },
})

test('after a reload, each model has its own chat again', () => {
  const before = createChats(storage)
  before.change('a', () => ({ turns: [turn('1', 'hello')], text: 'half a', draft: { ...before.get('a').draft, seed: '7' } }))
  before.change('b', () => ({ text: 'other' }))
  before.saveAll()
  const after = createChats(storage)
  expect(after.get('a')).toEqual(before.get('a'))
  expect(after.get('a').draft.seed).toBe('7')
  expect(after.get('b').turns).toEqual([])
  expect(after.get('c')).toMatchObject({ turns: [], text: '' })
})

test('a reload stops an answer that is still being received, and its text so far is kept', () => {
  const before = createChats(storage)
  const open = { ...turn('1', 'hello'), answers: { trained: { ...WAITING, state: 'streaming' as const, text: 'I lo' }, base: WAITING } }
  before.change('a', () => ({ turns: [open] }))
  before.saveAll()
  const [read] = createChats(storage).get('a').turns
  expect(read?.answers).toMatchObject({ trained: { state: 'stopped', text: 'I lo' }, base: { state: 'stopped', text: '' } })
})

test('a cleared chat is deleted from storage, and an unreadable chat is ignored', () => {
  const chats = createChats(storage)
  chats.change('a', () => ({ turns: [turn('1', 'hello')] }))
  chats.change('a', () => ({ turns: [] }))
  chats.saveAll()
  expect([...stored.keys()]).toEqual([])
  stored.set('bashgym.chat.b', '{"turns":')
  stored.set('bashgym.chat.c', '{"turns":[{"id":1}]}')
  expect(createChats(storage).get('b').turns).toEqual([])
  expect(createChats(storage).get('c').turns).toEqual([])
})

test('a chat too long for storage is reported and its old copy deleted; clearing the chat ends the warning', () => {
  const chats = createChats(storage)
  chats.change('a', () => ({ turns: [turn('1', 'hello')] }))
  chats.saveAll()
  quota = 400
  chats.change('a', ({ turns }) => ({ turns: [...turns, turn('2', 'x'.repeat(400))] }))
  chats.saveAll()
  expect(chats.store.getState().tooLong.has('a')).toBe(true)
  expect(stored.size).toBe(0)
  chats.change('a', () => ({ turns: [] }))
  chats.saveAll()
  expect(chats.store.getState().tooLong.has('a')).toBe(false)
})
