import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { Intake } from './intake.ts'
import type { LeaveOutInput } from './leave-out.job.ts'
import type { CaptureStore } from './store.ts'

const LEAVE_OUT = new URL('./leave-out.job.ts', import.meta.url)

interface Deps {
  core: Core
  store: CaptureStore
  intake: Intake
  /** Removes the hook events of a session that are not read yet. */
  forgetEvents: (sessionId: string) => void
  /** Runs inside the transaction that removes a trace's sources. */
  forgetRows: (traceId: string) => void
  onRemoved: () => void
}

/** Removes sessions: their folders in the archive and their rows. */
export function createRemoval({ core, store, intake, forgetEvents, forgetRows, onRemoved }: Deps) {
  const remove = (traceId: string, forGood: boolean) =>
    intake.withTraceLock(traceId, async () => {
      const trace = store.find(traceId)
      if (!trace) throw new AppError('trace_not_found')
      forgetEvents(trace.sessionId)
      await fs.promises.rm(intake.traceDir(trace.agent, traceId), { recursive: true, force: true })
      store.withSecureDelete(() =>
        core.tx(() => {
          forgetRows(traceId)
          store.remove(trace)
          for (const name of [trace.traceId, trace.sessionId]) {
            core.events.scrub(name)
            core.jobs.scrub(name)
          }
          if (forGood) store.setForgotten(traceId, core.now())
        }),
      )
    })
  const removeAll = async (traceIds: readonly string[], forGood: boolean): Promise<number> => {
    for (const traceId of traceIds) await remove(traceId, forGood)
    store.truncateLog()
    onRemoved()
    return traceIds.length
  }
  return {
    removeSamples: () =>
      removeAll(
        store.samples().map(({ traceId }) => traceId),
        false,
      ),
    /** Deletes a session for good: later imports of its folder skip it. */
    async forget(traceId: string): Promise<void> {
      await removeAll([traceId], true)
    },
    /** Removes the archived sessions of a working directory, except sessions that only the archive still has. */
    async removeProject(cwd: string): Promise<number> {
      const files = store.knownFiles().filter(({ kind }) => kind === 'main')
      const input: LeaveOutInput = { files, excluded: [cwd] }
      return removeAll(await core.workers.run<string[]>(LEAVE_OUT, input, { lane: 'query' }), false)
    },
  }
}
