/** A run of terminal text in one style. Colours are names of the theme's classes, never colours of the text itself. */
export interface AnsiRun {
  text: string
  colour: AnsiColour | null
  bold: boolean
}
export type AnsiColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'muted'

/**
 * ECMA-48: a control sequence (CSI … final byte), an operating system command (OSC … BEL or ST), or another escape.
 * OSC covers hyperlinks and window titles; all but SGR ("m") are dropped, so no output can move or link anything.
 */
const ESCAPE =
  // oxlint-disable-next-line no-control-regex -- control characters are what this reads
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-_]?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u007f]/g

const COLOURS: Record<number, AnsiColour> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'muted',
  91: 'red',
  92: 'green',
  93: 'yellow',
  94: 'blue',
  95: 'magenta',
  96: 'cyan',
}

/** Splits terminal output into styled runs. A line rewritten with carriage returns (progress bars) shows its last state. */
export function parseAnsi(raw: string): AnsiRun[] {
  const text = raw.includes('\r') ? lastStates(raw) : raw
  const runs: AnsiRun[] = []
  let style: Omit<AnsiRun, 'text'> = { colour: null, bold: false }
  let from = 0
  for (const match of text.matchAll(ESCAPE)) {
    push(runs, text.slice(from, match.index), style)
    if (match[2] === 'm') style = applyCodes(style, match[1] ?? '')
    from = match.index + match[0].length
  }
  push(runs, text.slice(from), style)
  return runs
}

/** The text alone: for search, copying and line counts. */
export const stripAnsi = (raw: string): string =>
  parseAnsi(raw)
    .map((run) => run.text)
    .join('')

const lastStates = (raw: string) =>
  raw
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
    .join('\n')

function push(runs: AnsiRun[], text: string, style: Omit<AnsiRun, 'text'>): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last && last.colour === style.colour && last.bold === style.bold) last.text += text
  else runs.push({ text, ...style })
}

function applyCodes(style: Omit<AnsiRun, 'text'>, parameters: string): Omit<AnsiRun, 'text'> {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = { ...style }
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    // 38;5;n and 38;2;r;g;b choose from 256 or all colours: those are not in our theme, so the text keeps its colour
    if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2
    else if (code === 0) next = { colour: null, bold: false }
    else if (code === 1) next.bold = true
    else if (code === 22) next.bold = false
    else if (code === 2) next.colour = 'muted'
    else if (code === 39) next.colour = null
    else if (COLOURS[code]) next.colour = COLOURS[code]
  }
  return next
}
