import { keptOutput } from './kept-output.ts'
import { withoutEscapes } from './plain-text.ts'
import { newTypingMarkers } from './protocol.ts'
import type { TypedResult, TypingListener } from './types.ts'

/** Follows what a person does at the terminal of a shell: what was typed, what it printed, and when the shell asks for more. */
export function createTyping({ maxOutputBytes, onStart, onEnd }: TypingListener) {
  const markers = newTypingMarkers()
  const digits = new Set(Object.values(markers))
  let state: 'prompt' | 'text' | 'command' = 'prompt'
  let text: Buffer[] = []
  let kept: ReturnType<typeof keptOutput> | null = null
  let beganAt = 0
  let lastStatus = 0
  let isOver = false
  let prompted = Promise.withResolvers<void>()

  const begin = () => {
    state = 'command'
    kept = keptOutput({ maxBytes: maxOutputBytes, folder: null, maxFileBytes: 0 })
    beganAt = performance.now()
    onStart(commandOf(Buffer.concat(text)))
    text = []
  }
  const end = (exitCode: number, sessionEnd: TypedResult['sessionEnd']) => {
    if (state !== 'command' || !kept) return
    state = 'prompt'
    const { text: output, truncated } = kept.end()
    onEnd({
      output: withoutEscapes(output.replaceAll('\r\n', '\n')),
      outputBytes: kept.totalBytes,
      truncated,
      exitCode,
      sessionEnd,
      durationMs: performance.now() - beganAt,
    })
  }

  return {
    markers,
    get lastStatus() {
      return lastStatus
    },
    isMarker: (found: string) => digits.has(found),
    /** Whether these bytes are for the screen. */
    shows(part: Buffer): boolean {
      if (isOver) return false
      if (state === 'text') text.push(Buffer.from(part))
      if (state === 'command') kept?.add(part)
      return state !== 'text'
    },
    marker(found: string, value: string): void {
      if (found === markers.prompt) {
        prompted.resolve()
        prompted = Promise.withResolvers()
        if (!isOver) lastStatus = Number(value)
        end(Number(value), null)
        state = 'prompt'
      } else if (isOver) return
      else if (found === markers.text) state = 'text'
      else if (found === markers.run && state === 'text') begin()
    },
    /** The next time that the shell asks for a line. */
    nextPrompt: (): Promise<void> => prompted.promise,
    /** From here on nothing is shown and no command begins. */
    stop(): void {
      isOver = true
    },
    shellEnded: (exitCode: number): void => end(exitCode, 'exited'),
  }
}

export type Typing = ReturnType<typeof createTyping>

/** `history 1` puts the number of the line before it. */
const commandOf = (line: Buffer): string =>
  line
    .toString('utf8')
    .replaceAll('\r\n', '\n')
    .replace(/^ *\d+\*? {1,2}/, '')
    .trimEnd()
