import readline from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import type { Key } from './press.ts'
import type { Line, View } from './view.ts'

/** ECMA-48 and private modes of xterm: 1049 alternate screen, 25 cursor, 2026 synchronized output. */
const ENTER = '\x1b[?1049h\x1b[?25l'
const LEAVE = '\x1b[?25h\x1b[?1049l'
const STYLES: Record<NonNullable<Line['style']>, string> = { bold: '\x1b[1m', dim: '\x1b[2m', selected: '\x1b[7m' }
/** An Esc byte that no other byte follows within this time is the Esc key, not an escape sequence. */
const ESCAPE_MS = 50

export interface FullScreen {
  readonly size: { columns: number; rows: number }
  draw(view: View): void
  /** Restores the terminal. */
  close(): void
}

interface Handlers {
  onKey: (key: Key) => void
  onResize: () => void
}

/** Switches the terminal to raw mode and the alternate screen. It is restored by `close`, or when the process exits. */
export function openScreen(input: ReadStream, output: WriteStream, { onKey, onResize }: Handlers): FullScreen {
  let isOpen = true
  const keypress = (text: string | undefined, key: { name?: string; ctrl?: boolean }) =>
    onKey({ name: key.name ?? '', text: key.ctrl === true ? '' : (text ?? ''), isCtrl: key.ctrl === true })
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close)
    input.off('keypress', keypress)
    output.off('resize', onResize)
    output.write(LEAVE)
    input.setRawMode(false)
    input.pause()
  }
  process.once('exit', close)
  // only `escapeCodeTimeout` of the second argument is read
  readline.emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as readline.Interface)
  input.setRawMode(true)
  input.on('keypress', keypress)
  output.on('resize', onResize)
  output.write(ENTER)
  input.resume()
  return {
    get size() {
      return { columns: output.columns || 80, rows: output.rows || 24 }
    },
    draw({ lines, cursor }) {
      if (!isOpen) return
      const text = lines.map(({ text: line, style }) => (style ? `${STYLES[style]}${line}\x1b[0m` : line)).join('\r\n')
      const place = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h` : ''
      output.write(`\x1b[?2026h\x1b[?25l\x1b[H${text}${place}\x1b[?2026l`)
    },
    close,
  }
}
