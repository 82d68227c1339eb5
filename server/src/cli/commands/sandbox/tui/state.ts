import type { Listed, SandboxList } from '../sandboxes.ts'

/** The latest measurement; null if unknown. */
export interface Gauge {
  /** Share of one core; above 1 with several cores. */
  cpu: number | null
  memoryBytes: number | null
}

export interface ShellState {
  id: string
  /** Commands and their output. */
  text: string
  input: string
  history: string[]
  /** Index in `history` while the user recalls commands. */
  historyIndex: number
  isRunning: boolean
  /** How many lines are below the visible part. */
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
  /** Index in `items`. */
  selected: number
  message: string | null
  /** The sandbox that the user is asked to confirm removing. */
  removing: string | null
  /** `g` was pressed once; `gg` jumps to the top. */
  isAfterG: boolean
  size: { columns: number; rows: number }
}

/** Work outside the state that a key requests. */
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
  history: [],
  historyIndex: 0,
  isRunning: false,
  scroll: 0,
})

/** Replaces the list and keeps the same sandbox selected. */
export function withList(state: State, { items, capacity }: SandboxList): State {
  const id = state.items[state.selected]?.id
  const found = items.findIndex((one) => one.id === id)
  const selected = Math.max(Math.min(found < 0 ? state.selected : found, items.length - 1), 0)
  return { ...state, items, capacity, selected, message: state.message === 'Loading sandboxes.' ? null : state.message }
}
