import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError } from '#server/foreign/index.ts'
import type { Carry } from './carry.ts'
import type { HandBackDeps } from './deps.ts'
import type { HistoryEntry } from './history.ts'
import { endJournal, removeJournal } from './tree/journal.ts'

const DEADLINE_MS = 120_000

export function createRecover({ repositories, history, work, taskOf, recordHandBack, onLeft }: HandBackDeps, { restoreIndex }: Carry) {
  /** Completes or rolls back what a killed server left unfinished. */
  async function recover(): Promise<void> {
    for (const id of history.tasks()) {
      for (const kept of history.of(id)) if (kept.state !== 'applied') await recoverOne(kept).catch(unlessRefused(kept))
      for (const { folder, state, journal } of history.of(id))
        if (state === 'applied' && journal!.undoes !== null) {
          removeJournal(history.folderOf(id, journal!.undoes))
          removeJournal(folder)
        }
      syncHandBack(id)
    }
  }

  /** Where it cannot be known how far a hand-back went, nothing is changed; the next start tries again. */
  const unlessRefused =
    ({ journal }: HistoryEntry) =>
    (error: unknown): void => {
      if (!(error instanceof AppError && error.code === 'path_refused') && !(error instanceof ForeignFileError)) throw error
      if (journal !== null) onLeft(journal.taskId, journal.steps.map((step) => step.path)) // prettier-ignore
    }

  async function recoverOne({ folder, state, journal }: HistoryEntry): Promise<void> {
    if (state === 'left') return
    if (journal?.ref) {
      const signal = AbortSignal.timeout(DEADLINE_MS)
      const repository = fs.existsSync(journal.root) ? await repositories.state(journal.root) : null
      const refCommit = repository && (await repositories.ref(journal.root, journal.ref.name, signal))
      if (repository && refCommit === journal.ref.after) return endJournal(folder, 'applied')
      if (repository) await restoreIndex(repository, journal)
    }
    const notRestored = await work.rollBack(folder)
    if (notRestored.length > 0) onLeft(journal!.taskId, notRestored)
  }

  function syncHandBack(id: string): void {
    try {
      const [last, recorded] = [history.last(id), taskOf(id).handedBack]
      if (last?.at !== recorded?.at || last?.detail !== recorded?.detail) recordHandBack(id, last)
    } catch (error) {
      if (!(error instanceof AppError)) throw error // its run was removed or is active again
    }
  }

  return recover
}
