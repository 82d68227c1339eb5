import { createOutputBuffer, type OutputBuffer } from './output-buffer.ts'
import { withoutEscapes } from './plain-text.ts'
import { newTypingMarkers } from './protocol.ts'
import type { TypedResult, TypingListener } from './types.ts'

/** Follows a person at the terminal of a shell: what was typed, what it printed, and when the shell prompts again. */
export function createTyping({ maxOutputBytes, onStart, onEnd }: TypingListener) {
  const markers = newTypingMarkers()
  const digits = new Set(Object.values(markers))
  let state: 'prompt' | 'text' | 'command' = 'prompt'
  let text: Buffer[] = []
  let printed: OutputBuffer | null = null
  let beganAt = 0
  let lastStatus = 0
  let isOver = false
  let prompted = Promise.withResolvers<void>()

  const begin = () => {
    state = 'command'
    printed = createOutputBuffer(maxOutputBytes)
    beganAt = performance.now()
    onStart(commandOf(Buffer.concat(text)))
    text = []
  }
  const end = (exitCode: number, sessionEnd: TypedResult['sessionEnd']) => {
    if (state !== 'command' || !printed) return
    state = 'prompt'
    const { text: output, truncated } = printed.end()
    onEnd({
      output: withoutEscapes(output.replaceAll('\r\n', '\n')),
      outputBytes: printed.totalBytes,
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
    isMarker: (marker: string) => digits.has(marker),
    /** Whether these bytes are for the screen. */
    isVisible(part: Buffer): boolean {
      if (isOver) return false
      if (state === 'text') text.push(Buffer.from(part))
      if (state === 'command') printed?.add(part)
      return state !== 'text'
    },
    marker(marker: string, value: string): void {
      if (marker === markers.prompt) {
        prompted.resolve()
        prompted = Promise.withResolvers()
        if (!isOver) lastStatus = Number(value)
        end(Number(value), null)
        state = 'prompt'
      } else if (isOver) return
      else if (marker === markers.text) state = 'text'
      else if (marker === markers.run && state === 'text') begin()
    },
    /** Resolves when the shell prompts again. */
    nextPrompt: (): Promise<void> => prompted.promise,
    /** Afterwards nothing is shown and no command begins. */
    stop(): void {
      isOver = true
    },
    shellEnded: (exitCode: number): void => end(exitCode, 'exited'),
  }
}

export type Typing = ReturnType<typeof createTyping>

/** Removes the line number that `history 1` adds. */
const commandOf = (line: Buffer): string =>
  line
    .toString('utf8')
    .replaceAll('\r\n', '\n')
    .replace(/^ *\d+\*? {1,2}/, '')
    .trimEnd()
