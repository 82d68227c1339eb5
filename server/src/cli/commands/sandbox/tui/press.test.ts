import { expect, it } from 'vitest'
import type { Listed } from '../sandboxes.ts'
import { type Key, press } from './press.ts'
import { type Effect, initial, newShell, type State, withList } from './state.ts'
import { fit, widthOf } from './text.ts'
import { view } from './view.ts'

const sandbox = (id: string): Listed => ({
  id,
  image: 'host',
  status: 'started',
  setupCommands: [],
  sessionCommandCount: 0,
  lastStandaloneExitCode: null,
})
const listOf = (...ids: string[]) => withList(initial({ columns: 80, rows: 24 }), { items: ids.map(sandbox), capacity: null })
const named = (name: string): Key => ({ name, text: '', isCtrl: false })
const typed = (text: string): Key => ({ name: text, text, isCtrl: false })

/** The state and the effects after these keys. */
function after(state: State, ...keys: Key[]): { state: State; effects: Effect[] } {
  const effects: Effect[] = []
  for (const key of keys) {
    const [next, ...more] = press(state, key)
    state = next
    effects.push(...more)
  }
  return { state, effects }
}

it('keeps the same sandbox selected when the list changes, and selects the one that was open', () => {
  const { state } = after(listOf('a', 'b', 'c'), typed('j'))
  expect(withList(state, { items: ['new', 'a', 'b'].map(sandbox), capacity: null }).selected).toBe(2)
  expect(after({ ...state, screen: newShell('c', '') }, named('escape')).state.selected).toBe(2)
  expect(withList(state, { items: [], capacity: null }).selected).toBe(0)
})

it('removes a sandbox only after the user agrees', () => {
  const confirming = after(listOf('a', 'b'), typed('x'), typed('q'), named('return'))
  expect(confirming).toMatchObject({ state: { removing: 'a' }, effects: [] })
  expect(after(confirming.state, named('escape'))).toMatchObject({ state: { removing: null }, effects: [] })
  expect(after(confirming.state, typed('y')).effects).toEqual([{ type: 'remove', id: 'a' }])
})

it('scrolls to the end of the text and back', () => {
  const content = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')
  const detail: State = { ...listOf('a'), screen: { name: 'detail', id: 'a', isText: true, content, scroll: 0 } }
  const end = after(detail, typed('G'), typed('j'), typed('j')).state
  const shown = (state: State) => view(state, 0).lines.map(({ text }) => text.trimEnd())
  expect(shown(end)).toContain('line 99')
  expect(shown(after(end, typed('k')).state)).toContain('line 98')
  expect(shown(after(end, typed('k')).state)).not.toContain('line 99')
  expect(shown(after(end, typed('g'), typed('g')).state)).toContain('line 0')
})

it('draws every line as wide as the terminal, whatever a sandbox prints', () => {
  const text = '日本語'.repeat(40) + '\u001b[2J\r\ttab ' + 'e\u0301'.repeat(90) + '\n'
  const { lines, cursor } = view({ ...listOf('a'), size: { columns: 40, rows: 12 }, screen: newShell('a', text) }, 0)
  expect(lines).toHaveLength(12)
  expect(lines.map(({ text: line }) => widthOf(line))).toEqual(Array.from({ length: 12 }, () => 40))
  expect(lines.some(({ text: line }) => Array.from(line).some((sign) => sign < ' '))).toBe(false)
  expect(fit('日本語', 4)).toBe('日… ')
  expect(cursor!.row).toBeLessThan(12)
})
