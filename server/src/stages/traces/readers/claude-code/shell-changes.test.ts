import { describe, expect, it } from 'vitest'
import type { DeriveOutput } from '../../derived.ts'
import { linesOf, main, newReader, readAll, SESSION, source } from './testing.ts'

const calls = ({ entries }: DeriveOutput) => entries.filter(({ kind }) => kind === 'call')
const record = (type: string, uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  type,
  uuid,
  parentUuid,
  sessionId: SESSION,
  version: '2.1.329',
  cwd: '/p',
  message: { role: type, content },
  ...more,
})
const user = (uuid: string, parent: string | null, content: unknown, more: object = {}) => record('user', uuid, parent, content, more)
const assistant = (uuid: string, parent: string | null, content: unknown) => record('assistant', uuid, parent, content)

describe('files that a shell command changed', () => {
  const bash = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'sed -i s/-/+/ calc.mjs && echo new > new.txt' } }
  const bashEditDiff = {
    files: [
      { filePath: '/p/calc.mjs', hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a - b', '+a + b'] }] },
      { filePath: '/p/new.txt', hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+new'] }], created: true },
    ],
    moreFiles: 1,
    changedFiles: ['/p/bin.dat', '/p/calc.mjs', '/p/new.txt'],
  }
  const found = { type: 'tool_result', tool_use_id: 'toolu_1', content: '', is_error: false }
  const session = (more: object) => main(user('a', null, 'Do it'), assistant('b', 'a', [bash]), user('c', 'b', [found], more))
  const wanted = [
    { path: '/p/calc.mjs', edits: 1, writes: 0 },
    { path: '/p/new.txt', edits: 0, writes: 1 },
    { path: '/p/bin.dat', edits: 1, writes: 0 },
  ]

  it('are its files, and the step counts as an edit', () => {
    const output = readAll([session({ toolUseResult: { stdout: '', bashEditDiff } })])
    expect(output.trace.files).toMatchObject(wanted)
    expect(calls(output)[0]).toMatchObject({ edits: true, file: null })
    expect(calls(readAll([session({ toolUseResult: { stdout: '' } })]))[0]!.edits).toBe(false)
  })

  it('are known from a hook where the transcript lacks the result, whichever is read first', () => {
    const hook = { event: 'PostToolUse', tool_use_id: 'toolu_1', agent_id: 'x', tool_response: { stdout: '', bashEditDiff } }
    const hooks = { ...source('hooks', 'hooks'), bytes: linesOf(hook) }
    for (const sources of [
      [session({}), hooks],
      [hooks, session({})],
    ]) {
      const reader = newReader()
      for (const one of sources) {
        reader.feed(one, 0, one.bytes)
        reader.output(null)
      }
      const output = reader.output(null)
      expect(output.trace.files).toMatchObject(wanted)
      expect(calls(output)[0]!.edits).toBe(true)
    }
  })
})
