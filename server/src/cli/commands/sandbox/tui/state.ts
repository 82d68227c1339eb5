import type { Listed, SandboxList } from '../sandboxes.ts'

/** Measured a moment ago; null: not known. */
export interface Gauge {
  /** Share of one core, 0 to 1 and above. */
  cpu: number | null
  memoryBytes: number | null
}

export interface ShellState {
  id: string
  /** What was run and printed. */
  text: string
  input: string
  earlier: string[]
  /** In `earlier`, while the user goes through it. */
  at: number
  isRunning: boolean
  /** Lines above the end. */
  scroll: number
}

export type Screen =
  | { name: 'list' }
  | { name: 'detail'; id: string; isText: boolean; content: string | null; scroll: number }
  | { name: 'create'; image: string; setupCommands: string[]; input: string; step: 'image' | 'setup' | 'creating' }
  | ({ name: 'shell' } & ShellState)

export interface State {
  screen: Screen
  items: Listed[]
  capacity: SandboxList['capacity']
  gauges: ReadonlyMap<string, Gauge>
  /** In `items`. */
  selected: number
  message: string | null
  /** A question, and the sandbox that is removed when it is answered with y. */
  removing: string | null
  /** `g` was pressed, which waits for another. */
  isAfterG: boolean
  size: { columns: number; rows: number }
}

/** What a key asks of the outside. */
export type Effect =
  | { type: 'quit' }
  | { type: 'refresh' }
  | { type: 'trajectory'; id: string; isText: boolean }
  | { type: 'open-shell'; id: string }
  | { type: 'create'; image: string; setupCommands: string[] }
  | { type: 'exec'; id: string; command: string }
  | { type: 'interrupt'; id: string }
  | { type: 'remove'; id: string }

export const initial = (size: State['size']): State => ({
  screen: { name: 'list' },
  items: [],
  capacity: null,
  gauges: new Map(),
  selected: 0,
  message: 'Loading sandboxes.',
  removing: null,
  isAfterG: false,
  size,
})

export const newShell = (id: string, text: string): Screen => ({
  name: 'shell',
  id,
  text,
  input: '',
  earlier: [],
  at: 0,
  isRunning: false,
  scroll: 0,
})

/** The list with what is selected kept by its id. */
export function withList(state: State, { items, capacity }: SandboxList): State {
  const id = state.items[state.selected]?.id
  const found = items.findIndex((one) => one.id === id)
  const selected = Math.max(Math.min(found < 0 ? state.selected : found, items.length - 1), 0)
  return { ...state, items, capacity, selected, message: state.message === 'Loading sandboxes.' ? null : state.message }
}
