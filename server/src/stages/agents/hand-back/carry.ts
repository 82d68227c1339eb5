import path from 'node:path'
import type { EntryChange, RepositoryState, UserRepositories } from '#server/adapters/git/user-repository.ts'
import { notWritten, refusal, refuse } from './refuse.ts'
import type { CarryOut } from './tree/carry-out.ts'
import type { Found } from './tree/found.ts'
import type { HandBackFacts } from './tree/journal.ts'
import type { Conflict } from './tree/refusals.ts'

const DEADLINE_MS = 120_000

/** Work on many files, done in worker threads. */
export interface TreeWork {
  survey: (root: string, paths: string[], signal: AbortSignal) => Promise<Found[]>
  carryOut: (input: CarryOut) => Promise<Conflict[]>
  /** Returns the paths that were not restored. */
  rollBack: (folder: string) => Promise<string[]>
}

export interface CarryDeps {
  repositories: UserRepositories
  work: TreeWork
  /** Called with paths that were not restored because someone else has changed them. */
  onLeft: (taskId: string, paths: readonly string[]) => void
}

/** Writes the files, then the index, and moves the ref last: once it has moved, the hand-back is complete. */
export function createCarry({ repositories, work, onLeft }: CarryDeps) {
  async function carry(input: CarryOut, state: RepositoryState | null): Promise<void> {
    const { folder, facts } = input
    refuse(await work.carryOut(input).catch(notWritten))
    try {
      if (state !== null) await moveRepository(state, facts)
    } catch (error) {
      const why = (error as Error).message
      const isIndexBack = state === null || (await restoreIndex(state, facts).then(() => true, () => false)) // prettier-ignore
      const left = await work.rollBack(folder)
      onLeft(facts.taskId, left)
      if (isIndexBack && left.length === 0)
        throw refusal(`git failed in ${input.root}, so everything was restored: ${why}`, 'Close other programs that use this repository, and try again.') // prettier-ignore
      const what = [...(isIndexBack ? [] : ['its index']), ...left].join(', ')
      throw refusal(`git failed in ${input.root}: ${why} This could not be restored: ${what}.`, 'Run `git status` there and compare these files with your own.') // prettier-ignore
    }
  }

  async function moveRepository(state: RepositoryState, { ref, index, undoes }: HandBackFacts): Promise<void> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    if (index.after.length > 0) await repositories.setIndex(state, index.after, signal)
    if (ref === null) return
    const why = undoes === null ? 'bashgym: hand back' : 'bashgym: undo'
    await repositories.moveRef(state.top, ref.name, { from: ref.before, to: ref.after, why }, signal)
  }

  /** Restores index entries that are still as the hand-back set them. */
  async function restoreIndex(state: RepositoryState, { index }: HandBackFacts): Promise<void> {
    if (index.after.length === 0) return
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const folder = path.join(state.top, state.prefix)
    const { entries } = await repositories.index(folder, signal)
    const back = index.before.filter((_, at) => isEntry(entries.get(index.after[at]!.path), index.after[at]!))
    if (back.length > 0) await repositories.setIndex(state, back, signal)
  }

  return { carry, restoreIndex }
}

export type Carry = ReturnType<typeof createCarry>

export const isEntry = (found: { mode: string; oid: string } | undefined, { entry }: EntryChange): boolean =>
  found?.mode === entry?.mode && found?.oid === entry?.oid
