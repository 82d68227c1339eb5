import { expect, test } from 'vitest'
import type { ChangedFile } from '#contracts/entities/task.ts'
import { partsOf, selectionOf, takenOf, withParts } from './left-out.ts'

const file = (path: string, hunks: string[], more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  from: null,
  status: 'modified',
  kind: 'text',
  modes: { before: '100644', after: '100644' },
  leadsTo: null,
  added: hunks.length,
  removed: 0,
  hunks: hunks.map((id) => ({ id, header: '', lines: [] })),
  isShortened: false,
  isRead: false,
  ...more,
})

test('the selection lists the taken hunks of a file, only the path of a fully taken file, and no file without taken hunks', () => {
  const [a, b, c] = [file('a', ['1', '2']), file('b', ['1']), file('c', ['1', '2'])]
  const left = withParts(withParts(new Set(), [partsOf(a)[1]!], false), partsOf(c), false)
  expect([a, b, c].map((one) => takenOf(one, left))).toEqual(['some', 'all', 'none'])
  expect(selectionOf([a, b, c], left)).toEqual([{ path: 'a', hunks: ['1'] }, { path: 'b' }])
})

test('there is no selection if everything is taken', () => {
  const files = [file('a', ['1']), file('logo.png', [], { kind: 'binary', added: null, removed: null })]
  expect(selectionOf(files, new Set())).toBeUndefined()
  expect(selectionOf(files, withParts(withParts(new Set(), partsOf(files[0]!), false), partsOf(files[0]!), true))).toBeUndefined()
})

test('a shortened file can only be left out as a whole', () => {
  const long = file('long', ['1', '2'], { isShortened: true })
  expect(partsOf(long)).toHaveLength(1)
  expect(selectionOf([long], withParts(new Set(), partsOf(long), false))).toEqual([])
})
