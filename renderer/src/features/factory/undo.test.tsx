import { expect, test } from 'vitest'
import { perform, undoNewest } from './undo.ts'

test('what has begun can be taken back before it has come back', async () => {
  const happened: string[] = []
  let finish = () => {}
  const work = new Promise<void>((resolve) => (finish = resolve))
  const done = perform('Accepted', async () => {
    await work
    happened.push('done')
    return () => Promise.resolve(happened.push('undone'))
  })
  const undone = undoNewest()
  finish()
  expect(await done).toBe(true)
  await undone
  expect(happened).toEqual(['done', 'undone'])
})

test('what failed cannot be taken back', async () => {
  expect(await perform('Accepted', () => Promise.reject(new Error('refused')))).toBe(false)
  const happened: string[] = []
  await perform('Rejected', () => Promise.resolve(() => Promise.resolve(happened.push('undone'))))
  await undoNewest()
  await undoNewest()
  expect(happened).toEqual(['undone'])
})
