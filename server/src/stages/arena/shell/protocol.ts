/**
 * What is typed into the shell for one command. Markers go to descriptor 255, the interactive bash's own copy of its
 * terminal or error stream: a command may close or redirect its output, and starts no process that has it.
 */
import { randomBytes } from 'node:crypto'

/** Random for each command, in digits, which no setting of a terminal changes. They differ: a command can read the first in `$_`. */
export interface Markers {
  start: string
  end: string
}

/** While a person has the terminal: before the text of what was typed, before it runs, and at each prompt, with the status. */
export interface TypingMarkers {
  text: string
  run: string
  prompt: string
}

export const MARKER_DIGITS = 20
export const MARK = 0x1e

/** bash's own descriptor. */
export const ERRORS_FD = 255
/** A copy of standard output, made where errors are kept apart. */
export const OUTPUT_FD = 254

const MAX_INLINE = 1024

export const newMarkers = (): Markers => ({ start: randomDigits(), end: randomDigits() })
export const newTypingMarkers = (): TypingMarkers => ({ text: randomDigits(), run: randomDigits(), prompt: randomDigits() })
/** 64 random bits. */
const randomDigits = () => randomBytes(8).readBigUInt64BE().toString().padStart(MARKER_DIGITS, '0')

/** A printf that writes a marker. Its digits are in two arguments, so the text of the command never contains the marker. */
const printMarker = (digits: string, value: string, fd: number) =>
  `\\builtin printf '\\036%s%s%s\\036%s' ${digits.slice(0, 10)} ${digits.slice(10)} ${value} '' >&${fd}`

const printMarkers = (digits: string, value: string, fds: readonly number[]) =>
  fds.map((fd, index) => printMarker(digits, index === 0 ? value : "''", fd)).join('; ')

/** With `set -x` its trace goes nowhere. */
const report = (markers: Markers, value: string, fds: readonly number[]) => `{ ${printMarkers(markers.end, value, fds)}; } 2>/dev/null\n`

/** Reports the last status. */
export const endLine = (markers: Markers, fds: readonly number[]): string => report(markers, '"$?"', fds)

/** After an interrupt: bash says what it has to say of a program that it let go of when it waits for the next one. */
export const calmLine = (markers: Markers, fds: readonly number[]): string => `\n\\builtin : "$(\\builtin :)"; ${endLine(markers, fds)}`

/** Reported back as the end of a first command. */
export function startLine(markers: Markers, fds: readonly number[], isTerminal: boolean): string {
  const settings = ['set +o history +H', "PS1='' PS2=''"]
  if (isTerminal) settings.push('stty -echo -onlcr')
  if (fds.includes(OUTPUT_FD)) settings.push(`exec ${OUTPUT_FD}>&1`)
  return `${settings.join('; ')}; ${endLine(markers, fds)}`
}

/**
 * `eval` of the command as one word: whatever is wrong in it ends the eval, not the line. The "!" keeps `set -e` and the ERR
 * trap for what is inside; the status is then the one of the pipeline. Before the word stands an empty substitution that
 * sets `$?` without triggering either. Without a terminal the end is reported once more on its own line: an interrupt
 * discards the rest of the line it meets.
 */
export function commandLine(
  word: string,
  { markers, fds, isTerminal, status }: { markers: Markers; fds: readonly number[]; isTerminal: boolean; status: number },
): string {
  const before = status === 0 ? '' : `"$(\\builtin exit ${status})"`
  const end = report(markers, '"${PIPESTATUS[0]}"', fds)
  const input = isTerminal ? '' : ' </dev/null'
  return `${printMarkers(markers.start, "''", fds)}; ! \\builtin eval ${before}${word}${input}; ${end}${isTerminal ? '' : endLine(markers, fds)}`
}

/**
 * Makes the shell one for a person: echo, prompt, line editing and history. bash itself tells what was typed (PS0) and when
 * it asks for more (PROMPT_COMMAND). Editing may be switched on at the prompt only: inside an eval bash 5.2 crashes.
 */
export function takeOverLine({ text, run, prompt }: TypingMarkers): string {
  const typed = `$(${printMarker(text, "''", ERRORS_FD)}; \\builtin history 1 >&${ERRORS_FD}; ${printMarker(run, "''", ERRORS_FD)})`
  const settings = [
    'stty echo onlcr',
    'HISTCONTROL= HISTIGNORE= HISTTIMEFORMAT=; \\builtin unset HISTFILE',
    `PS0=${quoted(typed)} PROMPT_COMMAND=${quoted(printMarker(prompt, '"$?"', ERRORS_FD))}`,
    "PS1='\\w\\$ ' PS2='> '",
    'set -o emacs -o history',
  ]
  return `${settings.join('; ')}\n`
}

/** Takes back what `takeOverLine` set, at the prompt. Its own line is not left in the history. */
export const handBackLine = (markers: Markers, fds: readonly number[]): string =>
  `set +o emacs; \\builtin history -d -1; set +o history; \\builtin unset PROMPT_COMMAND PS0; PS1='' PS2=''; stty -echo -onlcr; ${report(markers, '"$?"', fds).trimEnd()}\r`

/** The command as a word of the shell, or null if it is too long to be typed: bash reads a pipe byte by byte. */
export function inlineWord(command: string): string | null {
  if (command.length > MAX_INLINE) return null
  const word = quoted(command)
  return word.length > MAX_INLINE ? null : word
}

/** A word that expands to the content of a file, which is removed before the content runs. */
export const fileWord = (file: string, status: number): string =>
  `"$(\\command -p cat ${file}; \\command -p rm -f ${file}; \\builtin exit ${status})"`

/** Printable ASCII only: line editing would act on other bytes, and "!" may stand for an earlier command. */
function quoted(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && !SPECIAL.has(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  return `$'${escaped.join('')}'`
}
const SPECIAL = new Set(Buffer.from("'\\!"))
