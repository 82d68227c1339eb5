import { lookup } from '#contracts/lookup.ts'

/**
 * Every key of the app, once. Handlers, the key printed on buttons, the palette and the `?` overlay all read this
 * table. A letter means one thing in the whole app; only the review of a change, which shows nothing else, has letters
 * of its own (`OWN_LETTERS`). Notation: `mod` is Ctrl, or Cmd on a Mac; several keys for one
 * action are alternatives, the first is the one that is printed.
 */
export const KEYMAP = {
  palette: { keys: ['mod+k'], label: 'Search and commands', group: 'Everywhere' },
  keyMap: { keys: ['?'], label: 'Keyboard shortcuts', group: 'Everywhere' },
  filter: { keys: ['/'], label: 'Go to the filter or search field', group: 'Everywhere' },
  submit: { keys: ['mod+Enter'], label: 'Save and next; submit a form', group: 'Everywhere' },

  next: { keys: ['j', 'ArrowDown'], label: 'Next', group: 'Lists' },
  previous: { keys: ['k', 'ArrowUp'], label: 'Previous', group: 'Lists' },
  open: { keys: ['Enter'], label: 'Open', group: 'Lists' },
  back: { keys: ['Escape'], label: 'Back, close', group: 'Lists' },
  select: { keys: ['x'], label: 'Select', group: 'Lists' },
  extendDown: { keys: ['shift+j', 'shift+ArrowDown'], label: 'Extend selection down', group: 'Lists' },
  extendUp: { keys: ['shift+k', 'shift+ArrowUp'], label: 'Extend selection up', group: 'Lists' },

  undo: { keys: ['z'], label: 'Undo', group: 'Lists' },
  redo: { keys: ['shift+z'], label: 'Redo', group: 'Lists' },

  accept: { keys: ['a'], label: 'Accept', group: 'Review' },
  reject: { keys: ['Backspace'], label: 'Reject', group: 'Review' },
  peek: { keys: [' '], label: 'Preview without leaving the list', group: 'Review' },
  edit: { keys: ['e'], label: 'Edit', group: 'Review' },

  gold: { keys: ['g'], label: 'Gold', group: 'Traces' },
  silver: { keys: ['s'], label: 'Silver', group: 'Traces' },
  bronze: { keys: ['b'], label: 'Bronze', group: 'Traces' },
  failed: { keys: ['f'], label: 'Failed', group: 'Traces' },
  unset: { keys: ['u'], label: "Use the policy's tier", group: 'Traces' },
  tag: { keys: ['t'], label: 'Tag', group: 'Traces' },
  note: { keys: ['n'], label: 'Note', group: 'Traces' },

  previousError: { keys: ['['], label: 'Previous error', group: 'In a trace' },
  nextError: { keys: [']'], label: 'Next error', group: 'In a trace' },
  collapse: { keys: ['c'], label: 'Collapse or expand all', group: 'In a trace' },
  onlyTools: { keys: ['o'], label: 'Only tool calls', group: 'In a trace' },
  raw: { keys: ['r'], label: 'Raw transcript', group: 'In a trace' },
  sessionDiff: { keys: ['d'], label: 'Diff of the whole session', group: 'In a trace' },

  nextFile: { keys: ['n'], label: 'Next file', group: 'Change of an agent' },
  previousFile: { keys: ['p'], label: 'Previous file', group: 'Change of an agent' },
  readFile: { keys: ['r'], label: 'Mark the file as viewed or not viewed', group: 'Change of an agent' },
  commentLine: { keys: ['c'], label: 'Comment', group: 'Change of an agent' },

  keepFinding: { keys: ['1'], label: 'Keep', group: 'Privacy' },
  redactFinding: { keys: ['2'], label: 'Redact', group: 'Privacy' },
  replaceFinding: { keys: ['3'], label: 'Replace', group: 'Privacy' },
  boundary: { keys: ['i'], label: 'Start a task at this step, or merge it with the previous one', group: 'Tasks in a trace' },
  boundaryUp: { keys: [','], label: 'Start this task one step earlier', group: 'Tasks in a trace' },
  boundaryDown: { keys: ['.'], label: 'Start this task one step later', group: 'Tasks in a trace' },
  previousTask: { keys: ['{'], label: 'Previous task', group: 'Tasks in a trace' },
  nextTask: { keys: ['}'], label: 'Next task', group: 'Tasks in a trace' },

  waterfall: { keys: ['w'], label: 'Waterfall or table', group: 'Profiler' },
  zoomIn: { keys: ['+', '='], label: 'Zoom in', group: 'Profiler' },
  zoomOut: { keys: ['-'], label: 'Zoom out', group: 'Profiler' },
  zoomAll: { keys: ['0'], label: 'Show the whole session', group: 'Profiler' },
  earlier: { keys: ['ArrowLeft'], label: 'Earlier', group: 'Profiler' },
  later: { keys: ['ArrowRight'], label: 'Later', group: 'Profiler' },

  pauseRun: { keys: ['p'], label: 'Pause or resume the run', group: 'Training' },
  cancelRun: { keys: ['shift+c'], label: 'Cancel the run', group: 'Training' },
  logScale: { keys: ['l'], label: 'Logarithmic or linear scale', group: 'Training' },
  smoothing: { keys: ['m'], label: 'Smoothing on or off', group: 'Training' },
  compareMarked: { keys: ['v'], label: 'Compare selected items', group: 'Training' },

  copyId: { keys: ['y'], label: 'Copy the id', group: 'Models' },

  testBox: { keys: ['shift+t'], label: 'Test box', group: 'Guardrails' },

  inbox: { keys: ['Enter'], label: 'Open the inbox', group: 'Home' },
} as const satisfies Record<string, { keys: readonly string[]; label: string; group: string }>

export type ActionId = keyof typeof KEYMAP

/** The group whose letters may mean something else on other screens. */
export const OWN_LETTERS = 'Change of an agent'

const isMac = () => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

const NAMES: Record<string, string> = lookup({ ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space' })

/** A key in print: "mod+k" → "Ctrl+K" (on a Mac "⌘K"), "shift+z" → "Shift+Z". */
export function printKey(key: string, mac: boolean = isMac()): string {
  const parts = splitKey(key)
  const name = NAMES[parts.key] ?? (parts.key.length === 1 ? parts.key.toUpperCase() : parts.key)
  if (mac) return `${parts.mod ? '⌘' : ''}${parts.shift ? '⇧' : ''}${name}`
  return `${parts.mod ? 'Ctrl+' : ''}${parts.shift ? 'Shift+' : ''}${name}`
}

/** The key to print on the button of an action. */
export const keyOf = (id: ActionId): string => printKey(KEYMAP[id].keys[0])

function splitKey(key: string): { mod: boolean; shift: boolean; key: string } {
  const mod = key.startsWith('mod+')
  const rest = mod ? key.slice(4) : key
  const shift = rest.startsWith('shift+')
  return { mod, shift, key: shift ? rest.slice(6) : rest }
}

/** One printable character without a modifier: the kind that can be switched off (WCAG 2.1.4). */
export const isSingleKey = (key: string): boolean => !key.startsWith('mod+') && splitKey(key).key.length === 1

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** True when this press is that key. Signs that need Shift on some keyboards (`?`, `[`) are matched by the sign alone. */
export function pressed(key: string, press: Press, mac: boolean = isMac()): boolean {
  const wanted = splitKey(key)
  const mod = mac ? press.metaKey : press.ctrlKey
  const otherMod = mac ? press.ctrlKey : press.metaKey
  const isLetter = /^[a-z]$/i.test(wanted.key)
  const isSign = wanted.key.length === 1 && !isLetter
  // AltGr, with which some keyboards type [ and ], arrives as Ctrl+Alt.
  if (isSign && !wanted.mod) return press.key === wanted.key && (press.ctrlKey === press.altKey || mac) && !press.metaKey
  if (mod !== wanted.mod || otherMod || press.altKey || press.shiftKey !== wanted.shift) return false
  return isLetter ? press.key.toLowerCase() === wanted.key.toLowerCase() : press.key === wanted.key
}
