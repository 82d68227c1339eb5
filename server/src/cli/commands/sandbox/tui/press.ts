import { bodyRows, detailLines, detailRows, shellLines, shellRows, clampScroll } from './layout.ts'
import type { Effect, Screen, ShellState, State } from './state.ts'

/** `name` is the key's name from `readline`; `text` is what it prints. */
export interface Key {
  name: string
  text: string
  isCtrl: boolean
}

type Pressed = [State, ...Effect[]]
type StateOn<Name extends Screen['name']> = State & { screen: Extract<Screen, { name: Name }> }

/** Returns the next state and the effects that the caller must perform. */
export function press(state: State, key: Key): Pressed {
  if (state.removing !== null) return answerRemoval(state, state.removing, key)
  const cleared = { ...state, message: null, isAfterG: false }
  switch (state.screen.name) {
    case 'list':
      return pressInList(cleared as StateOn<'list'>, key, state.isAfterG)
    case 'detail':
      return pressInDetail(cleared as StateOn<'detail'>, key, state.isAfterG)
    case 'create':
      return pressInCreate(cleared as StateOn<'create'>, key)
    default:
      return pressInShell(cleared as StateOn<'shell'>, key)
  }
}

function answerRemoval(state: State, id: string, { text, name }: Key): Pressed {
  const answered = { ...state, removing: null }
  if (text === 'y' || text === 'Y')
    return [
      { ...answered, message: `Removing ${shortId(id)}.` },
      { type: 'remove', id },
    ]
  return text === 'n' || text === 'N' || name === 'escape' ? [{ ...answered, message: 'Not removed.' }] : [state]
}

const shortId = (id: string) => id.slice(0, 8)
const isCtrl = (key: Key, name: string) => key.isCtrl && key.name === name

/** How far a key moves in a list or text; null if it does not move. */
function moveOf(key: Key, page: number, isAfterG: boolean): number | null {
  if (isCtrl(key, 'd') || key.name === 'pagedown') return Math.ceil(page / 2)
  if (isCtrl(key, 'u') || key.name === 'pageup') return -Math.ceil(page / 2)
  if (key.isCtrl) return null
  if (key.name === 'down' || key.text === 'j') return 1
  if (key.name === 'up' || key.text === 'k') return -1
  if (key.text === 'G' || key.name === 'end') return Infinity
  if ((key.text === 'g' && isAfterG) || key.name === 'home') return -Infinity
  return null
}

function pressInList(state: StateOn<'list'>, key: Key, isAfterG: boolean): Pressed {
  const move = moveOf(key, bodyRows(state), isAfterG)
  const lastIndex = Math.max(state.items.length - 1, 0)
  if (move !== null) return [{ ...state, selected: Math.min(Math.max(state.selected + move, 0), lastIndex) }]
  if (isCtrl(key, 'c') || key.text === 'q') return [state, { type: 'quit' }]
  const id = state.items[state.selected]?.id
  switch (key.name === 'return' ? 'return' : key.text) {
    case 'g':
      return [{ ...state, isAfterG: true }]
    case 'r':
      return [state, { type: 'refresh' }]
    case 'n':
      return [{ ...state, screen: { name: 'create', image: '', setupCommands: [], input: '', step: 'image' } }]
    case 'return':
      return id === undefined ? [state] : detail(state, id, true)
    case 's':
      return id === undefined ? [state] : openShell(state, id)
    case 'x':
      return id === undefined ? [state] : [{ ...state, removing: id }]
    default:
      return [state]
  }
}

const detail = (state: State, id: string, isText: boolean): Pressed => [
  { ...state, screen: { name: 'detail', id, isText, content: null, scroll: 0 } },
  { type: 'trajectory', id, isText },
]
const openShell = (state: State, id: string): Pressed => [
  { ...state, message: `Opening a shell in ${shortId(id)}.` },
  { type: 'open-shell', id },
]

function pressInDetail(state: StateOn<'detail'>, key: Key, isAfterG: boolean): Pressed {
  const { screen } = state
  const move = moveOf(key, bodyRows(state), isAfterG)
  if (move !== null)
    return [
      { ...state, screen: { ...screen, scroll: clampScroll(screen.scroll + move, detailLines(state, screen).length, detailRows(state)) } },
    ]
  if (key.name === 'escape' || key.text === 'q' || isCtrl(key, 'c')) return back(state, screen.id)
  if (key.text === 'g') return [{ ...state, isAfterG: true }]
  if (key.text === 't') return detail(state, screen.id, !screen.isText)
  if (key.text === 'r') return [state, { type: 'trajectory', id: screen.id, isText: screen.isText }]
  if (key.text === 's') return openShell(state, screen.id)
  if (key.text === 'x') return [{ ...state, removing: screen.id }]
  return [state]
}

/** Returns to the list and selects the sandbox that was open. */
function back(state: State, id?: string): Pressed {
  const at = state.items.findIndex((one) => one.id === id)
  return [{ ...state, screen: { name: 'list' }, selected: at < 0 ? state.selected : at }, { type: 'refresh' }]
}

function pressInCreate(state: StateOn<'create'>, key: Key): Pressed {
  const { screen } = state
  if (key.name === 'escape' || isCtrl(key, 'c')) return back(state)
  if (screen.step === 'creating') return [state]
  if (key.name !== 'return') return [{ ...state, screen: { ...screen, input: edited(screen.input, key) } }]
  const input = screen.input.trim()
  if (screen.step === 'image') return [{ ...state, screen: { ...screen, image: input, input: '', step: 'setup' } }]
  if (input !== '') return [{ ...state, screen: { ...screen, setupCommands: [...screen.setupCommands, input], input: '' } }]
  const { image, setupCommands } = screen
  return [
    { ...state, screen: { ...screen, step: 'creating' } },
    { type: 'create', image, setupCommands },
  ]
}

function pressInShell(state: StateOn<'shell'>, key: Key): Pressed {
  const { screen } = state
  const change = (more: Partial<typeof screen>): Pressed => [{ ...state, screen: { ...screen, ...more } }]
  if (key.name === 'escape') return back(state, screen.id)
  if (isCtrl(key, 'c')) return screen.isRunning ? [state, { type: 'interrupt', id: screen.id }] : change({ input: '', scroll: 0 })
  const page = Math.ceil(bodyRows(state) / 2)
  const scrolled = (by: number) => clampScroll(screen.scroll + by, shellLines(state, screen).length, shellRows(state))
  if (isCtrl(key, 'u') || key.name === 'pageup') return change({ scroll: scrolled(page) })
  if (isCtrl(key, 'd') || key.name === 'pagedown') return change({ scroll: scrolled(-page) })
  if (key.name === 'up') return change(recalled(screen, -1))
  if (key.name === 'down') return change(recalled(screen, 1))
  if (key.name !== 'return') return change({ input: edited(screen.input, key) })
  if (screen.isRunning || screen.input.trim() === '') return [state]
  if (/^\s*(exit|quit)\s*$/.test(screen.input)) return [{ ...state, removing: screen.id }]
  const command = screen.input
  const history = [...screen.history, command]
  const text = `${screen.text}$ ${command}\n`
  return [
    { ...state, screen: { ...screen, input: '', history, historyIndex: history.length, isRunning: true, text, scroll: 0 } },
    { type: 'exec', id: screen.id, command },
  ]
}

function recalled({ history, historyIndex }: ShellState, by: number): Pick<ShellState, 'historyIndex' | 'input'> {
  const next = Math.min(Math.max(historyIndex + by, 0), history.length)
  return { historyIndex: next, input: history[next] ?? '' }
}

function edited(input: string, { name, text, isCtrl: withCtrl }: Key): string {
  if (name === 'backspace') return Array.from(input).slice(0, -1).join('')
  return withCtrl || text < ' ' ? input : input + text
}
