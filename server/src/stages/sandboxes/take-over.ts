import type { SandboxResult } from '#contracts/entities/sandbox.ts'
import type { Core } from '#server/core.ts'
import type { TypedResult, TypingListener } from './shell/types.ts'
import type { Running } from './running.ts'
import type { SandboxStore } from './store.ts'

interface Deps extends Pick<Core, 'tx' | 'now'> {
  store: SandboxStore
  require: (id: string) => Running
  /** Called when a command or the person typing has changed. */
  publishStatus: (id: string) => void
  publishActivity: (id: string) => void
}

/** Lets a person type into a session. Typed commands are stored like others, with a mark. */
export function createTakeOver({ tx, now, store, require, publishStatus, publishActivity }: Deps) {
  const listener = (id: string, live: Running, session: string): TypingListener => {
    let typed: { no: number; position: number; end: () => void } | null = null
    const add = (command: string) => {
      const row = store.get(id)
      if (!row) return null
      return { no: row.no, position: tx(() => store.addCommand(row, { session, command, isTyped: true }, now())) }
    }
    return {
      maxOutputBytes: store.require(id).spec.limits.outputBytes,
      onStart(command) {
        const added = add(command)
        if (!added) return
        const { promise, resolve } = Promise.withResolvers<void>()
        typed = { ...added, end: resolve }
        void live.work(() => promise).then(() => publishActivity(id))
        publishActivity(id)
      },
      onEnd(result) {
        if (!typed) return
        const { no, position, end } = typed
        typed = null
        if (live.stopping === null) tx(() => store.endCommand(no, position, toResult(result)))
        end()
      },
    }
  }

  return {
    async takeOver(id: string, { session, window }: { session: string; window: string }, signal: AbortSignal): Promise<void> {
      const live = require(id)
      await live.session(session).takeOver(window, listener(id, live, session), signal)
      live.touch()
      publishStatus(id)
    },
    async handBack(id: string, session: string): Promise<void> {
      const live = require(id)
      try {
        await live.session(session).handBack()
      } finally {
        live.touch()
        publishStatus(id)
      }
    },
  }
}

const toResult = ({ sessionEnd, ...result }: TypedResult): SandboxResult => ({
  ...result,
  output: result.output.trimEnd(),
  stderr: null,
  before: '',
  exited: sessionEnd === 'exited',
  timedOut: false,
  signalSent: null,
})
