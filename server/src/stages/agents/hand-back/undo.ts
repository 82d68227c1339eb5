import fs from 'node:fs'
import type { Task } from '#contracts/entities/task.ts'
import { isoOf } from '#server/instant.ts'
import { requireSamePlace } from '#server/real-path.ts'
import type { RepositoryState } from '#server/adapters/git/user-repository.ts'
import { type Carry, isEntry } from './carry.ts'
import type { HandBackDeps } from './deps.ts'
import type { HistoryEntry } from './history.ts'
import { refusal, refuse, requireEnded } from './refuse.ts'
import type { Write } from './tree/carry-out.ts'
import { type Found, sameMark, withoutRemoved } from './tree/found.ts'
import { endJournal, type HandBackFacts, type Journal, keptIn, removeJournal } from './tree/journal.ts'
import type { Wanted } from './tree/refusals.ts'
import type { InTurn } from './turns.ts'

const NO_BYTES = { at: 0, size: 0 }

/** Undoes the last hand-back of a run with the copies that it stored. */
export function createUndo({ repositories, history, work, taskOf, recordHandBack, now }: HandBackDeps, { carry }: Carry, inTurn: InTurn) {
  async function undo(id: string, signal: AbortSignal): Promise<Task> {
    requireEnded(taskOf(id))
    const last = history.applied(id).at(-1)
    if (last === undefined)
      throw refusal('This run has no hand-back that can be undone.', 'Remove applied patches and other manual changes yourself.')
    return inTurn(last.journal.root, async () => {
      await takeBack(last, signal)
      return recordHandBack(id, history.last(id))
    })
  }

  async function takeBack({ name, folder: original, journal }: HistoryEntry & { journal: Journal }, signal: AbortSignal): Promise<void> {
    const { root, ref, index, taskId } = journal
    if (!fs.existsSync(root)) throw refusal(`${root} no longer exists.`)
    requireSamePlace(root)
    const state = ref === null ? null : await repositories.state(root)
    if (ref !== null) await requireUnmoved(root, state, journal, signal)
    const writes = journal.steps.map(({ path: file, before, after, kept }): Write => ({
      path: file,
      before: after,
      after: before,
      ...(kept ?? NO_BYTES),
      mode: kept?.mode ?? null,
    }))
    const reversedRef = { name: ref?.name ?? '', before: ref?.after ?? null, after: ref?.before ?? null }
    const facts: HandBackFacts = { ...journal, at: isoOf(now()), ref: ref && reversedRef, index: { before: index.after, after: index.before }, undoes: name } // prettier-ignore
    const folder = history.next(taskId)
    signal.throwIfAborted()
    const removed = new Set(writes.flatMap(({ path: file, after }) => (after === null ? [file] : [])))
    const seen = await work.survey(root, writes.map((write) => write.path), signal) // prettier-ignore
    const found = seen.map((one) => withoutRemoved(one, removed))
    refuse(writes.flatMap((write, at) => (isUnchanged(found[at]!, write) ? [] : [{ path: write.path, reason: 'it was changed since it was handed back' }]))) // prettier-ignore
    await carry({ root, folder, contents: keptIn(original), writes, folderModes: journal.folders, facts: onlyFacts(facts) }, state)
    endJournal(folder, 'applied')
    removeJournal(original)
    removeJournal(folder)
  }

  async function requireUnmoved(
    root: string,
    state: RepositoryState | null,
    { ref, index, how }: Journal,
    signal: AbortSignal,
  ): Promise<void> {
    if (state === null) throw refusal(`${root} is no longer a repository.`)
    if (state.busy !== null) throw refusal(`Can't undo this in ${root}: ${state.busy}.`, 'Finish that first.')
    const short = shortName(ref!.name)
    if ((await repositories.ref(root, ref!.name, signal)) !== ref!.after)
      throw refusal(`The branch ${short} of ${root} has new commits.`, 'Revert the commit with git instead.')
    if (how === 'commit' && state.branch !== ref!.name) throw refusal(`A branch other than ${short} is checked out in ${root}.`, `Check ${short} out first.`) // prettier-ignore
    if (how === 'branch' && (await repositories.isCheckedOut(root, ref!.name))) throw refusal(`The branch ${short} is checked out.`, 'Check another one out first.') // prettier-ignore
    const { entries } = await repositories.index(root, signal)
    refuse(index.after.flatMap((one) => (isEntry(entries.get(one.path), one) ? [] : [{ path: one.path, reason: 'you have staged it since it was handed back' }]))) // prettier-ignore
  }

  return undo
}

const shortName = (ref: string): string => ref.replace('refs/heads/', '')

const isUnchanged = (found: Found, { before }: Wanted): boolean =>
  before === null ? found.kind === 'none' || found.kind === 'folder' : found.kind === 'mark' && sameMark(found.mark, before)

const onlyFacts = ({ taskId, how, at, detail, isWhole, ref, index, undoes }: HandBackFacts): HandBackFacts => ({
  taskId,
  how,
  at,
  detail,
  isWhole,
  ref,
  index,
  undoes,
})
