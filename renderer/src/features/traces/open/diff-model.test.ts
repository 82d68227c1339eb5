import { describe, expect, it } from 'vitest'
import { aStep } from '../fixtures.ts'
import { diffOf, diffSession } from './diff-model.ts'

const anEdit = (before: string, after: string, part = {}) =>
  aStep({ tool: 'Edit', command: null, file: '/p/a.ts', input: { file_path: '/p/a.ts', old_string: before, new_string: after }, ...part })

describe('the diff of an edit', () => {
  it('takes the recorded patch with the line numbers of the file', () => {
    const patch = [
      { oldStart: 40, oldLines: 3, newStart: 40, newLines: 3, lines: [' a', '-b', '+c', ' d', '\\ No newline at end of file'] },
    ]
    const diff = diffOf(anEdit('b', 'c', { patch }))
    expect(diff).toMatchObject({ located: true, added: 1, removed: 1 })
    expect(diff?.hunks[0]?.header).toBe('@@ -40,3 +40,3 @@')
    expect(diff?.hunks[0]?.lines).toEqual([
      { kind: 'context', old: 40, new: 40, text: 'a' },
      { kind: 'removed', old: 41, new: null, text: 'b' },
      { kind: 'added', old: null, new: 41, text: 'c' },
      { kind: 'context', old: 42, new: 42, text: 'd' },
    ])
  })

  it('compares old and new text of the input when no patch is recorded', () => {
    const diff = diffOf(anEdit('one\ntwo\nthree\n', 'one\n2\nthree\n'))
    expect(diff).toMatchObject({ located: false, added: 1, removed: 1 })
  })

  it('shows a written file as added lines and several edits one after the other', () => {
    expect(diffOf(aStep({ tool: 'Write', input: { content: 'a\nb\n' } }))).toMatchObject({ added: 2, removed: 0 })
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ]
    expect(diffOf(aStep({ tool: 'MultiEdit', input: { edits } }))).toMatchObject({ added: 1, removed: 2 })
  })

  it('does not compare texts beyond the limit, and still shows them whole', () => {
    const big = 'x\n'.repeat(120_000)
    const diff = diffOf(anEdit(big, `${big}y`))
    expect(diff?.hunks).toHaveLength(1)
    expect(diff?.removed).toBe(120_001)
  })

  it('is null for a call that changes nothing', () => {
    expect(diffOf(aStep())).toBeNull()
    expect(diffOf(aStep({ input: null }))).toBeNull()
  })
})

describe('the diff of a session', () => {
  it('groups by file and excludes edits that failed or were rejected', () => {
    const files = diffSession([
      anEdit('a', 'b'),
      anEdit('b', 'c', { file: '/p/b.ts' }),
      anEdit('c', 'd'),
      anEdit('x', 'y', { success: false }),
      anEdit('x', 'y', { success: null, rejected: true }),
    ])
    expect(files.map(({ file, edits, added }) => [file, edits.length, added])).toEqual([
      ['/p/a.ts', 2, 2],
      ['/p/b.ts', 1, 1],
    ])
  })

  it('has the files that a shell command changed, combined with later edits of the same file', () => {
    const hunk = (oldStart: number, lines: string[]) => ({
      oldStart,
      oldLines: lines.filter((line) => !line.startsWith('+')).length,
      newStart: oldStart,
      newLines: lines.filter((line) => !line.startsWith('-')).length,
      lines,
    })
    const shell = aStep({
      tool: 'Bash',
      success: true,
      file: null,
      changes: [
        { path: '/p/new.txt', patch: [hunk(1, ['+one', '+two'])], created: true, deleted: false },
        { path: '/p/a.ts', patch: [hunk(5, ['-old', '+new'])], created: false, deleted: false },
        { path: '/p/picture.png', patch: null, created: false, deleted: false },
      ],
    })
    const edit = aStep({ tool: 'Edit', success: true, file: '/p/new.txt', patch: [hunk(2, ['-two', '+2'])] })
    const files = diffSession([shell, edit])
    expect(files.map(({ file, edits, added, removed }) => [file, edits.length, added, removed])).toEqual([
      ['/p/new.txt', 2, 2, 0],
      ['/p/a.ts', 1, 1, 1],
      ['/p/picture.png', 1, 0, 0],
    ])
    expect(files[0]!.net!.hunks.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual(['one', '2'])
  })
})
