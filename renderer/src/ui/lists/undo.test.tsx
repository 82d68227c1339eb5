import { expect, test } from 'vitest'
import { createUndoing } from './undo.ts'

test('an action can be undone before its call returns', async () => {
  const { perform, undoNewest } = createUndoing()
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

test('undo skips an action that changed nothing, even if it is still running', async () => {
  const { perform, undoNewest } = createUndoing()
  const happened: string[] = []
  await perform('First', () => Promise.resolve(() => Promise.resolve(happened.push('first'))))
  let changed: number | null = null
  const work = Promise.withResolvers<void>()
  const second = async () => {
    await work.promise
    changed = 0
    return () => Promise.resolve(happened.push('second'))
  }
  const done = perform('Second', second, () => changed === 0)
  const undone = undoNewest()
  work.resolve()
  await Promise.all([done, undone])
  expect(happened).toEqual(['first'])
})

test('a failed action cannot be undone', async () => {
  const { perform, undoNewest } = createUndoing()
  expect(await perform('Accepted', () => Promise.reject(new Error('refused')))).toBe(false)
  const happened: string[] = []
  await perform('Rejected', () => Promise.resolve(() => Promise.resolve(happened.push('undone'))))
  await undoNewest()
  await undoNewest()
  expect(happened).toEqual(['undone'])
})

test('undo skips an action that was undone elsewhere, and a screen never undoes the actions of another', async () => {
  const { perform, undoNewest } = createUndoing()
  const happened: string[] = []
  const act = (name: string) => () => Promise.resolve(() => Promise.resolve(happened.push(name)))
  let isUndoneElsewhere = false
  await perform('First', act('first'))
  await perform('Second', act('second'), () => isUndoneElsewhere)
  isUndoneElsewhere = true
  await createUndoing().undoNewest()
  expect(happened).toEqual([])
  await undoNewest()
  await undoNewest()
  expect(happened).toEqual(['first'])
})
