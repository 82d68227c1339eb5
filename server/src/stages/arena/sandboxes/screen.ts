import { AppError } from '#contracts/errors.ts'
import { createRing } from '#server/streams/ring.ts'
import type { Source } from '#server/streams/source.ts'
import type { Shell } from '../shell/types.ts'

/** Of what a session has shown; a terminal that opens late, or comes back, sees it again. */
const SCREEN_BYTES = 256 * 1024

/** What a shell shows, for terminals that read along or take over. */
export function createScreen(shell: Shell) {
  const ring = createRing(SCREEN_BYTES)
  shell.onBytes((bytes) => ring.push(bytes))
  void shell.ended.then(() => ring.finish())
  return {
    open(from: number): Source {
      return {
        ...ring.reader(from),
        write(bytes) {
          if (shell.state === 'ended') throw new AppError('session_exited')
          shell.write(Buffer.from(bytes))
        },
        resize: ({ columns, rows }) => shell.resize(columns, rows),
        close() {}, // the shell goes on
      }
    },
  }
}

export type Screen = ReturnType<typeof createScreen>
