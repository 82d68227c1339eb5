import { expect, it } from 'vitest'
import type { Step } from '#contracts/entities/step.ts'
import { aStep } from '../fixtures.ts'
import { diffSession } from './diff-model.ts'

const edit = (id: string, old_string: string, new_string: string): Step =>
  aStep({ id, tool: 'Edit', command: null, file: '/home/dev/a.ts', success: true, patch: null, input: { old_string, new_string } })

const signs = (steps: Step[]) => {
  const [file] = diffSession(steps)
  return file?.net?.hunks.flatMap(({ lines }) =>
    lines.map(({ kind, text }) => `${kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '}${text}`),
  )
}

it('edits without positions are one net change of their file', () => {
  const steps = [edit('1', 'one', 'two\nthree'), edit('2', 'three', 'four'), edit('3', 'far away', 'elsewhere')]
  expect(signs(steps)).toEqual(['-one', '+two', '+four', '-far away', '+elsewhere'])
  expect(diffSession(steps)[0]).toMatchObject({ added: 3, removed: 2 })
})

it('an edit around an earlier one, and one that takes it back, leave only what changed', () => {
  expect(signs([edit('1', 'b', 'B'), edit('2', 'a\nB\nc', 'a\nB\nC')])).toEqual([' a', '-b', '-c', '+B', '+C'])
  expect(signs([edit('1', 'b', 'B'), edit('2', 'B', 'b')])).toEqual([])
})

it('is not computed where it would be a guess', () => {
  expect(signs([edit('1', 'one', 'two\nthree'), edit('2', 'three\nafter', 'x')])).toBeUndefined()
  expect(signs([edit('1', 'one', 'x\nx'), edit('2', 'x', 'y')])).toBeUndefined()
})
