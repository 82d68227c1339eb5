import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { onInkChange } from '../curves/ink.ts'
import { formatBytes } from '../format.ts'
import { askToOpen } from '../outside-link.tsx'
import { terminalColors } from './colors.ts'
import { drawByGpu, forgetGpu } from './webgl.ts'

const SCROLLBACK = 5000
const FONT_SIZE = 12
/** The clipboard sequence: output must neither read nor write the clipboard. */
const OSC_CLIPBOARD = 52

const SCROLL_KEYS: ReadonlyMap<string, (terminal: Terminal) => void> = new Map([
  ['ArrowUp', (terminal) => terminal.scrollLines(-1)],
  ['ArrowDown', (terminal) => terminal.scrollLines(1)],
  ['PageUp', (terminal) => terminal.scrollPages(-1)],
  ['PageDown', (terminal) => terminal.scrollPages(1)],
  ['Home', (terminal) => terminal.scrollToTop()],
  ['End', (terminal) => terminal.scrollToBottom()],
])

export interface TerminalSize {
  columns: number
  rows: number
}

interface Handlers {
  /** Null: keys do nothing. */
  keys: ((keys: Uint8Array) => void) | null
  /** True: the key is handled, not sent to the program. */
  onKey: (event: KeyboardEvent) => boolean
}

/** A terminal in an element of the page. Its output can only change what the terminal shows. */
export function createTerminalScreen(element: HTMLElement, label: string, handlers: () => Handlers) {
  const terminal = new Terminal({
    allowProposedApi: false,
    cols: 80,
    rows: 24,
    fontFamily: getComputedStyle(element).fontFamily,
    fontSize: FONT_SIZE,
    scrollback: SCROLLBACK,
    minimumContrastRatio: 4.5,
    theme: terminalColors(),
    linkHandler: { activate: (_event, address) => askToOpen(address) },
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.parser.registerOscHandler(OSC_CLIPBOARD, () => true)
  const encoder = new TextEncoder()
  terminal.onData((keys) => handlers().keys?.(encoder.encode(keys)))
  terminal.onBinary((keys) => handlers().keys?.(Uint8Array.from(keys, (key) => key.charCodeAt(0))))
  terminal.attachCustomKeyEventHandler((event) => {
    if (handlers().onKey(event)) return false
    if (handlers().keys) return true
    if (event.type === 'keydown' && scroll(event)) event.preventDefault()
    return false // Tab and the app's keys work as elsewhere
  })
  terminal.open(element)
  terminal.textarea?.setAttribute('aria-label', label)
  const use = () => void drawByGpu(terminal)
  terminal.textarea?.addEventListener('focus', use)
  const stopInk = onInkChange(() => {
    terminal.options.theme = terminalColors()
  })

  const scroll = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || altKey || metaKey) return false
    const scrollBy = SCROLL_KEYS.get(key)
    scrollBy?.(terminal)
    return scrollBy !== undefined
  }
  let isCut = false
  return {
    /** Resolves when the bytes are on the screen. */
    write(bytes: Uint8Array): Promise<void> {
      const from = isCut ? bytes.indexOf(0x0a) + 1 : 0
      if (isCut && from === 0) return Promise.resolve()
      isCut = false
      return new Promise((resolve) => terminal.write(bytes.subarray(from), resolve))
    },
    /** Bytes are missing here. A sequence may be cut, so output continues with the next whole line. */
    gap(bytes: number): void {
      terminal.reset()
      terminal.write(`\x1b[2m… ${formatBytes(bytes)} before this are no longer kept\x1b[0m\r\n`)
      isCut = true
    },
    type: (keys: string) => terminal.input(keys),
    isBracketing: () => terminal.modes.bracketedPasteMode,
    /** The size that fits into the element. */
    spaceFor(): TerminalSize | null {
      const space = fit.proposeDimensions()
      return space ? { columns: clampCells(space.cols), rows: clampCells(space.rows) } : null
    },
    resize({ columns, rows }: TerminalSize): void {
      terminal.resize(columns, rows)
    },
    setTyping(isOn: boolean): void {
      terminal.options.disableStdin = !isOn
      terminal.options.cursorBlink = false
      terminal.options.cursorInactiveStyle = isOn ? 'outline' : 'none'
    },
    setScreenReader(isOn: boolean): void {
      terminal.options.screenReaderMode = isOn
    },
    find: (text: string, isBackwards: boolean): boolean => (isBackwards ? search.findPrevious(text) : search.findNext(text)),
    /** The selection, or everything if there is none. */
    text(): string {
      if (terminal.hasSelection()) return terminal.getSelection()
      terminal.selectAll()
      const all = terminal.getSelection()
      terminal.clearSelection()
      return all.trimEnd()
    },
    focus: () => terminal.focus(),
    close(): void {
      stopInk()
      forgetGpu(terminal)
      terminal.dispose()
    },
  }
}

export type TerminalScreen = ReturnType<typeof createTerminalScreen>

const clampCells = (cells: number) => Math.min(Math.max(cells, 2), 500)
