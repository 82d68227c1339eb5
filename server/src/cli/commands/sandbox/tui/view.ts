import { formatBytes, orDash } from '../../../format.ts'
import type { Listed } from '../sandboxes.ts'
import { bodyRows, detailLines, detailRows, shellLines, shellRows, clampScroll } from './layout.ts'
import type { Gauge, Screen, State } from './state.ts'
import { fit, flat, widthOf, wrap } from './text.ts'

export interface View {
  /** One per row of the terminal, each as wide as the terminal. */
  lines: Line[]
  /** Where the user types. */
  cursor: { row: number; column: number } | null
}
export interface Line {
  text: string
  style?: 'bold' | 'dim' | 'selected'
}

/** Renders the state. `now` is in milliseconds. */
export function view(state: State, now: number): View {
  const { columns, rows } = state.size
  const { head, body, keys, typing } = parts(state, now)
  const visibleLines = body.slice(0, bodyRows(state))
  const empty = Array.from({ length: bodyRows(state) - visibleLines.length }, (): Line => ({ text: '' }))
  const question =
    state.removing === null ? null : `Stop and remove ${state.removing.slice(0, 8)}? Its files and trajectory will be deleted. y/n`
  const lines: Line[] = [
    { text: head, style: 'bold' },
    { text: '' },
    ...visibleLines,
    ...empty,
    question === null ? { text: flat(state.message ?? '') } : { text: question, style: 'bold' },
    { text: keys, style: 'dim' },
  ]
  const cursor = typing === undefined || question !== null ? null : { row: 2 + typing.row, column: Math.min(typing.column, columns - 1) }
  return { lines: lines.slice(0, rows).map((line) => ({ ...line, text: fit(line.text, columns) })), cursor }
}

interface ViewParts {
  head: string
  body: Line[]
  keys: string
  /** Position of the cursor in the body. */
  typing?: { row: number; column: number }
}

function parts(state: State, now: number): ViewParts {
  switch (state.screen.name) {
    case 'list':
      return listParts(state, now)
    case 'detail':
      return detailParts(state, state.screen, now)
    case 'create':
      return createParts(state.screen)
    default:
      return shellParts(state, state.screen)
  }
}

const KEYS_OF_LIST = 'n new  Enter details  s shell  x remove  r refresh  j k gg G move  q quit'

function listParts(state: State, now: number): ViewParts {
  const { items, capacity, selected, gauges, size } = state
  const waiting = capacity && capacity.queued.length > 0 ? `, ${capacity.queued.length} waiting` : ''
  const head = `Sandboxes${capacity === null ? '' : `  ${capacity.running} of ${capacity.limit} running${waiting}`}`
  if (items.length === 0 && state.message === null)
    return { head, body: [{ text: 'No sandboxes yet. Press n to create one.' }], keys: KEYS_OF_LIST }
  const visibleRows = bodyRows(state) - 1
  const first = Math.max(Math.min(selected - Math.floor(visibleRows / 2), items.length - visibleRows), 0)
  const body = items.slice(first, first + visibleRows).map((item, index): Line => ({
    text: row(cells(item, gauges.get(item.id), now), size.columns),
    ...(first + index === selected && { style: 'selected' }),
  }))
  return { head, body: [{ text: row(TITLES, size.columns), style: 'bold' }, ...body], keys: KEYS_OF_LIST }
}

const TITLES = ['ID', 'IMAGE', 'STATE', 'ENGINE', 'CPU', 'MEMORY', 'AGE', 'IDLE', 'CMDS', 'CODE', 'SET-UP']
/** Widths of all columns but the last (set-up), which gets the remaining width if that is at least 8. */
const WIDTHS = [8, 12, 8, 10, 5, 7, 5, 5, 4, 4]

function row(values: readonly string[], columns: number): string {
  const fixed = WIDTHS.map((width, index) => fit(values[index] ?? '', width)).join(' ')
  const remaining = columns - widthOf(fixed) - 1
  return remaining < 8 ? fixed : `${fixed} ${fit(values[WIDTHS.length] ?? '', remaining)}`
}

const cells = (item: Listed, gauge: Gauge | undefined, now: number): string[] => [
  item.id.slice(0, 8),
  flat(item.image),
  typeof item.queuePosition === 'number' ? `line ${item.queuePosition}` : (item.phase ?? item.status),
  item.backend ?? '–',
  orDash(gauge?.cpu, (share) => `${Math.round(share * 100)} %`),
  orDash(gauge?.memoryBytes, formatBytes),
  since(item.startedAt ?? item.createdAt, now),
  item.status === 'started' || item.status === 'exited' ? since(item.lastUsedAt, now) : '–',
  String(item.sessionCommandCount),
  orDash(item.lastStandaloneExitCode, String),
  flat(item.setupCommands.join(' && ')),
]

function since(instant: string | null | undefined, now: number): string {
  if (!instant) return '–'
  const seconds = Math.max(Math.round((now - Date.parse(instant)) / 1000), 0)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} m` : `${Math.round(minutes / 60)} h`
}

function detailParts(state: State, screen: Extract<Screen, { name: 'detail' }>, now: number): ViewParts {
  const item = state.items.find(({ id }) => id === screen.id)
  const facts = item ? row(cells(item, state.gauges.get(item.id), now), state.size.columns) : 'This sandbox no longer exists.'
  const lines = detailLines(state, screen)
  const top = clampScroll(screen.scroll, lines.length, detailRows(state))
  return {
    head: `Sandbox ${screen.id}  trajectory as ${screen.isText ? 'text' : 'JSON'}`,
    body: [
      { text: row(TITLES, state.size.columns), style: 'bold' },
      { text: facts },
      { text: '' },
      ...lines.slice(top, top + detailRows(state)).map((text) => ({ text })),
    ],
    keys: `t ${screen.isText ? 'JSON' : 'text'}  s shell  x remove  r refresh  j k gg G Ctrl-D Ctrl-U scroll  Esc back`,
  }
}

function createParts({ image, setupCommands, input, step }: Extract<Screen, { name: 'create' }>): ViewParts {
  const keys =
    step === 'image' ? 'Enter next  Esc back' : step === 'setup' ? 'Enter adds the command; an empty one creates the sandbox  Esc back' : ''
  const label = step === 'image' ? 'Image (empty: the default): ' : 'Set-up command: '
  const enteredLines = [
    ...(step === 'image' ? [] : [{ text: `Image: ${image === '' ? 'the default' : flat(image)}` }]),
    ...setupCommands.map((command) => ({ text: `Set-up: ${flat(command)}` })),
  ]
  if (step === 'creating') return { head: 'New sandbox', body: [...enteredLines, { text: 'Creating and starting it.' }], keys: 'Esc back' }
  return {
    head: 'New sandbox',
    body: [...enteredLines, { text: label + flatInput(input) }],
    keys,
    typing: { row: enteredLines.length, column: widthOf(label) + widthOf(flatInput(input)) },
  }
}

function shellParts(state: State, screen: Extract<Screen, { name: 'shell' }>): ViewParts {
  const prompt = screen.isRunning ? '' : `${screen.id.slice(0, 8)}$ `
  const lines = shellLines(state, screen)
  const end = lines.length - clampScroll(screen.scroll, lines.length, shellRows(state))
  const visibleLines = lines.slice(Math.max(end - shellRows(state), 0), end)
  const input = tailOf(prompt + flatInput(screen.input), state.size.columns - 1)
  return {
    head: `Shell in ${screen.id}${screen.scroll > 0 ? '  scrolled up' : ''}`,
    body: [...visibleLines.map((text) => ({ text })), { text: screen.isRunning ? 'Running. Ctrl-C interrupts.' : input }],
    keys: 'Enter run  Ctrl-C interrupt  Up Down earlier  Ctrl-U Ctrl-D scroll  Esc back',
    ...(!screen.isRunning && { typing: { row: visibleLines.length, column: widthOf(input) } }),
  }
}

const flatInput = (input: string) => wrap(input, Infinity).join(' ')

/** The last part of a line that fits `columns`. */
function tailOf(text: string, columns: number): string {
  const signs = Array.from(text)
  while (widthOf(signs.join('')) > columns) signs.shift()
  return signs.join('')
}
