import { beforeEach, expect, test } from 'vitest'
import { createChats } from './chats.ts'
import { WAITING, type Turn } from './conversation.ts'

let kept: Map<string, string>
let quota: number
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem(key: string, value: string) {
    if (value.length > quota) throw new DOMException('full', 'QuotaExceededError')
    kept.set(key, value)
  },
  removeItem: (key: string) => void kept.delete(key),
}
beforeEach(() => {
  kept = new Map()
  quota = Infinity
})

const turn = (id: string, text: string): Turn => ({
  id,
  role: 'user',
  text,
  answers: { trained: { ...WAITING, state: 'done', text: 'yes' } },
})

test('a chat is there again after a reload, each model with its own', () => {
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

test('an answer that was still coming is stopped by the reload, with what had come', () => {
  const before = createChats(storage)
  const open = { ...turn('1', 'hello'), answers: { trained: { ...WAITING, state: 'streaming' as const, text: 'I lo' }, base: WAITING } }
  before.change('a', () => ({ turns: [open] }))
  before.saveAll()
  const [read] = createChats(storage).get('a').turns
  expect(read?.answers).toMatchObject({ trained: { state: 'stopped', text: 'I lo' }, base: { state: 'stopped', text: '' } })
})

test('what is cleared is gone, and what cannot be read is passed over', () => {
  const chats = createChats(storage)
  chats.change('a', () => ({ turns: [turn('1', 'hello')] }))
  chats.change('a', () => ({ turns: [] }))
  chats.saveAll()
  expect([...kept.keys()]).toEqual([])
  kept.set('bashgym.chat.b', '{"turns":')
  kept.set('bashgym.chat.c', '{"turns":[{"id":1}]}')
  expect(createChats(storage).get('b').turns).toEqual([])
  expect(createChats(storage).get('c').turns).toEqual([])
})

test('a chat that no longer fits in storage says so, keeps nothing stale, and is stored again when it is cleared', () => {
  const chats = createChats(storage)
  chats.change('a', () => ({ turns: [turn('1', 'hello')] }))
  chats.saveAll()
  quota = 400
  chats.change('a', ({ turns }) => ({ turns: [...turns, turn('2', 'x'.repeat(400))] }))
  chats.saveAll()
  expect(chats.store.getState().tooLong.has('a')).toBe(true)
  expect(kept.size).toBe(0)
  chats.change('a', () => ({ turns: [] }))
  chats.saveAll()
  expect(chats.store.getState().tooLong.has('a')).toBe(false)
})
