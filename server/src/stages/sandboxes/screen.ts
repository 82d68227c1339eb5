import { createRing } from '#server/streams/ring.ts'
import type { Source } from '#server/streams/source.ts'
import type { Shell } from './shell/types.ts'
import type { Recording } from './recording.ts'

/** How much output a terminal receives again when it opens late or reconnects. */
const SCREEN_BYTES = 256 * 1024
/** How much of a command is shown. */
const COMMAND_CHARACTERS = 4000

const BOLD = '\x1b[0;1m'
const DIM = '\x1b[0;2m'
const PLAIN = '\x1b[0m'
/** Turns the alternate screen, bracketed paste and mouse off and the cursor on, in case an ended program did not. */
const MODES_OFF = '\x1b[?1049l\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?25h'

interface ScreenDeps {
  shell: Shell
  recording: Recording
  /** Whether a person has taken over: the terminal then converts line ends itself. */
  isTaken: () => boolean
}

/** The output of a shell as a terminal expects it, with a line for each command that is run. */
export function createScreen({ shell, recording, isTaken }: ScreenDeps) {
  const ring = createRing(SCREEN_BYTES)
  let lastByte = 0x0a
  const show = (bytes: Buffer) => {
    if (bytes.length === 0) return
    lastByte = bytes[bytes.length - 1]!
    ring.push(bytes)
    recording.add(bytes)
  }
  const write = (text: string) => show(Buffer.from(text))
  const freshLine = () => (lastByte === 0x0a ? '' : '\r\n')
  const note = (text: string) => write(`${freshLine()}${DIM}${text}${PLAIN}\r\n`)

  shell.onBytes((bytes) => show(isTaken() ? bytes : withReturns(bytes, lastByte)))
  const finishWithShell = async () => {
    await shell.ended
    ring.finish()
    recording.end()
  }
  void finishWithShell()
  return {
    command(text: string): void {
      const lines = text.length > COMMAND_CHARACTERS ? `${text.slice(0, COMMAND_CHARACTERS)}…` : text
      write(`${freshLine()}${BOLD}$ ${lines.replaceAll(CONTROLS, '\uFFFD').replaceAll('\n', '\r\n> ')}${PLAIN}\r\n`)
    },
    takenOver: () => note('[a person types from here on]'),
    handedBack() {
      write(MODES_OFF)
      note('[handed back]')
    },
    read: (from: number): Pick<Source, 'read'> => ring.reader(from),
  }
}

export type Screen = ReturnType<typeof createScreen>

/** Removed from commands, so that they cannot move the cursor. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g

/** Adds the carriage returns that terminals normally add; the shell has that switched off so that output is exact. */
function withReturns(bytes: Buffer, before: number): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    if ((at === 0 ? before : bytes[at - 1]) === 0x0d) continue
    parts.push(bytes.subarray(from, at), RETURN)
    from = at
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)])
}
const RETURN = Buffer.from('\r')
