/**
 * The lines that are typed into the shell. Markers are written to descriptor 255, the interactive bash's own copy of its
 * terminal or error stream: commands may close or redirect their output, and their processes do not inherit it.
 */
import { randomBytes } from 'node:crypto'

/**
 * Random digits for each command: no terminal setting changes digits. They differ because a command can read `start` in `$_`
 * and `prompt` in PROMPT_COMMAND; only `end` is believed.
 */
export interface Markers {
  start: string
  end: string
  prompt: string
}

/** Used while a person types: before the text of a typed line, before the line runs, and at each prompt (with the status). */
export interface TypingMarkers {
  text: string
  run: string
  prompt: string
}

export const MARKER_DIGITS = 20
export const MARK = 0x1e

const MARKER_FD = 255

const MAX_INLINE = 1024

export const newMarkers = (): Markers => ({ start: randomDigits(), end: randomDigits(), prompt: randomDigits() })
export const newTypingMarkers = (): TypingMarkers => ({ text: randomDigits(), run: randomDigits(), prompt: randomDigits() })
/** 64 random bits. */
const randomDigits = () => randomBytes(8).readBigUInt64BE().toString().padStart(MARKER_DIGITS, '0')

/** A printf that writes a marker. Its digits are in two arguments, so the text of the command never contains the marker. */
const printMarker = (digits: string, value = "''") =>
  `\\builtin printf '\\036%s%s%s\\036%s' ${digits.slice(0, 10)} ${digits.slice(10)} ${value} '' >&${MARKER_FD}`

/** The redirection hides its own trace under `set -x`. */
const report = (markers: Markers, value: string) => `{ ${printMarker(markers.end, value)}; } 2>/dev/null\n`

/** Reports the last status. */
export const endLine = (markers: Markers): string => report(markers, '"$?"')

/** After an interrupt, waiting for another program makes bash print its pending notice about the interrupted one. */
export const flushNoticesLine = (markers: Markers): string => `\n\\builtin : "$(\\builtin :)"; ${endLine(markers)}`

/** Sets the shell up; its end marker reports that the shell is ready. */
export function startLine(markers: Markers, isTerminal: boolean): string {
  const settings = ['set +o history +H', "PS1='' PS2=''"]
  if (isTerminal) settings.push('stty -echo -onlcr')
  return `${settings.join('; ')}; ${endLine(markers)}`
}

/**
 * Evaluates the command as one word: an error in it ends the eval, not the line. The "!" makes `set -e` and the ERR trap apply
 * only inside the eval; the status is therefore read from PIPESTATUS. An empty substitution before the word sets `$?` without
 * triggering either. Without a terminal the end is reported a second time on a separate line, because an interrupt discards
 * the rest of the current line.
 */
export function commandLine(
  word: string,
  { markers, isTerminal, status }: { markers: Markers; isTerminal: boolean; status: number },
): string {
  const setStatus = status === 0 ? '' : `"$(\\builtin exit ${status})"`
  const end = report(markers, '"${PIPESTATUS[0]}"')
  const input = isTerminal ? '' : ' </dev/null'
  return `${isTerminal ? reportPrompt(markers) : ''}${printMarker(markers.start)}; ! \\builtin eval ${setStatus}${word}${input}; ${end}${isTerminal ? '' : endLine(markers)}`
}

/** The user's own PROMPT_COMMAND is element 0. bash before 5.1 runs no other. */
const PROMPT_ELEMENT = 'PROMPT_COMMAND[9]'

/** Where a prompt reports itself if the user made PROMPT_COMMAND read-only; without output, it adds nothing to the prompt. */
const inPrompt = (marker: string): string => `$(${marker})`

/**
 * Makes the next prompt report itself: some errors (arithmetic on an unset variable under `set -u`) discard the whole line, with
 * the end marker. A second line, as without a terminal, could be read by the command. After an unclosed quote bash does not know
 * reserved words at the start of a line, so another command comes first.
 */
const reportPrompt = (markers: Markers): string =>
  `\\builtin :; ! { \\builtin printf -v '${PROMPT_ELEMENT}' %s ${quoted(printMarker(markers.prompt))} || \\builtin printf -v PS1 %s ${quoted(inPrompt(printMarker(markers.prompt)))}; } 2>/dev/null; `

/**
 * Gives the shell what a person needs: echo, prompt, line editing and history. bash reports what was typed (PS0) and when it
 * prompts (PROMPT_COMMAND). Line editing may only be switched on at the prompt: inside an eval bash 5.2 crashes.
 */
export function takeOverLine({ text, run, prompt }: TypingMarkers): string {
  const reportTyped = `$(${printMarker(text)}; \\builtin history 1 >&${MARKER_FD}; ${printMarker(run)})`
  const reportPrompted = printMarker(prompt, '"$?"')
  const settings = [
    'stty echo onlcr',
    'HISTCONTROL= HISTIGNORE= HISTTIMEFORMAT=; \\builtin unset HISTFILE',
    `PS0=${quoted(reportTyped)}`,
    "PS1='\\w\\$ ' PS2='> '",
    // an assignment to a read-only variable would discard the line
    `\\builtin printf -v PROMPT_COMMAND %s ${quoted(reportPrompted)} 2>/dev/null || PS1=${quoted(`${inPrompt(reportPrompted)}\\w\\$ `)}`,
    'set -o emacs -o history',
  ]
  return `${settings.join('; ')}\n`
}

/** Undoes `takeOverLine` at the prompt, and removes itself from the history. */
export const handBackLine = (markers: Markers): string =>
  `set +o emacs; \\builtin history -d -1; set +o history; \\builtin unset PROMPT_COMMAND 2>/dev/null; \\builtin unset PS0; PS1='' PS2=''; stty -echo -onlcr; ${report(markers, '"$?"').trimEnd()}\r`

/** The command as a word of the shell, or null if it is too long to be typed: bash reads a pipe byte by byte. */
export function inlineWord(command: string): string | null {
  if (command.length > MAX_INLINE) return null
  const word = quoted(command)
  return word.length > MAX_INLINE ? null : word
}

/** A word that expands to the content of a file, which is removed before the content runs. */
export const fileWord = (file: string, status: number): string =>
  `"$(\\command -p cat ${file}; \\command -p rm -f ${file}; \\builtin exit ${status})"`

/** Printable ASCII only: line editing would act on other bytes, and "!" can expand to an earlier command. */
function quoted(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && !SPECIAL.has(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  return `$'${escaped.join('')}'`
}
const SPECIAL = new Set(Buffer.from("'\\!"))
