import fs from 'node:fs'
import path from 'node:path'
import type { Task } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { Changes } from '#server/adapters/git/changes.ts'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import type { UserRepositories } from '#server/adapters/git/user-repository.ts'
import { placeBelow } from '#server/within.ts'
import type { TaskChange } from '../change.ts'
import { diskBytesOf, type StaysBecause, whyItStays } from './care.ts'
import type { DiffInput, ShownFile } from './diff/diff.job.ts'
import { type FileLines, readPatch } from './diff/patch.ts'
import type { TreeWork } from './carry.ts'
import { commitPart } from './commit.ts'
import { createContents } from './contents.ts'
import { createHandBack } from './hand-back.ts'
import { createHistory } from './history.ts'
import { outsideLinks } from './outside-links.ts'
import { applyReview, messageOf, type ReviewAction, shownComment, withMarks } from './review.ts'
import { inScratch } from './scratch.ts'
import type { Selection } from './select.ts'
import type { ReviewStore } from './store.ts'

/** What hand-back needs from agent runs. */
export interface Runs {
  /** Throws `task_not_found`. */
  get: (id: string) => Task
  /** Null if the run has no result. */
  changeOf: (id: string) => TaskChange | null
  setHandedBack: (id: string, handedBack: Task['handedBack']) => Task
  message: (id: string, text: string) => Task | Promise<Task>
}

export interface HandBackServiceDeps {
  runs: Runs
  store: ReviewStore
  changes: Changes
  repositories: UserRepositories
  work: TreeWork & { diff: (input: DiffInput, signal: AbortSignal) => Promise<ShownFile[]> }
  /** The folder for journals and for temporary files of calls. */
  folder: string
  dataDirectory: string
  now: () => number
  /** Called with unfinished paths that someone else has changed since. */
  onLeft: (taskId: string, paths: readonly string[]) => void
}

/** How much of a patch is read for display; a larger change is shown in part. */
const MAX_LINES_BYTES = 64 * 1024 * 1024

/** Shows the change of a run, stores review comments, hands the change back and undoes that. */
export function createHandBackService(deps: HandBackServiceDeps) {
  const { runs, store, changes, repositories, work, now } = deps
  const scratch = path.join(deps.folder, 'scratch')
  const history = createHistory(path.join(deps.folder, 'journals'))
  const changeOf = (id: string): TaskChange => {
    runs.get(id)
    const change = runs.changeOf(id)
    if (change === null) throw new AppError('task_no_change')
    return change
  }

  const withLines = <T>(change: TaskChange, most: number, read: (file: string) => T | Promise<T>, signal: AbortSignal): Promise<T> =>
    inScratch(scratch, async (folder) => {
      const file = path.join(folder, 'lines')
      await changes.lines(change, file, most, signal)
      return await read(file)
    })

  const linesOf = async (change: TaskChange, paths: readonly string[], signal: AbortSignal): Promise<Map<string, FileLines>> => {
    const entries = await changes.entries(change, signal)
    const patch = await withLines(change, Infinity, (file) => fs.promises.readFile(file), signal)
    const all = readPatch(patch, entries, ({ path: file }) => (paths.includes(file) ? Infinity : 0))
    return new Map(entries.map((entry, index) => [entry.path, all[index]!]))
  }

  const { handBack, undo, recover, selectTargets } = createHandBack({
    ...deps,
    history,
    linesOf,
    taskOf: runs.get,
    changeOf,
    recordHandBack: runs.setHandedBack,
    scratch,
  })

  async function lineOf(change: TaskChange, { after }: ChangedEntry, line: number, signal: AbortSignal): Promise<string | null> {
    if (after === null || !after.mode.startsWith('100')) return null
    return inScratch(scratch, async (folder) => {
      const file = path.join(folder, 'blob')
      await changes.blobs(change.gitDir, [after.oid], file, signal)
      const text = (await fs.promises.readFile(file, 'utf8')).split('\n').slice(1, -1) // without git's header line and the newline it adds
      return text[line - 1] ?? null
    })
  }

  return {
    handBack,
    undo,
    async change(id: string, signal: AbortSignal) {
      const change = changeOf(id)
      const entries = await changes.entries(change, signal)
      const files = await withLines(change, MAX_LINES_BYTES, (file) => work.diff({ file, entries }, signal), signal)
      const outside = await inScratch(scratch, (folder) => outsideLinks(change.gitDir, entries, createContents(changes, folder, signal)))
      const review = store.of(id)
      const shown = files.map((file) => ({ ...file, leadsTo: outside.get(file.path) ?? null }))
      return { base: change.start, files: withMarks(shown, entries, review), comments: review.comments.map(shownComment) }
    },
    /** Throws immediately if there is no change. */
    patch: (id: string, signal: AbortSignal): AsyncIterable<Uint8Array> => changes.patch(changeOf(id), signal),
    /** The patch of a part of the change. */
    async selectedPatch(id: string, selection: Selection, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
      const change = changeOf(id)
      const { gitDir, start } = change
      const end = await inScratch(scratch, async (folder) => {
        const contents = createContents(changes, folder, signal)
        const { targets } = await selectTargets(change, selection, contents, signal)
        return commitPart(change, targets, { repositories, contents, scratch: folder, signal })
      })
      return changes.patch({ gitDir, start, end }, signal)
    },
    async review(id: string, act: ReviewAction, signal: AbortSignal) {
      const change = changeOf(id)
      const entries = await changes.entries(change, signal)
      return { comments: await applyReview(id, act, entries, { store, now, lineOf: (entry, line) => lineOf(change, entry, line, signal) }) }
    },
    async sendReview(id: string): Promise<Task> {
      changeOf(id)
      const sent = store.of(id).comments.filter(({ sentAt }) => sentAt === null)
      const text = messageOf(sent)
      if (text === null) throw new AppError('invalid_request', { message: 'There is no unsent comment.', hint: 'Write one first.' })
      const task = await runs.message(id, text)
      const ids = new Set(sent.map((comment) => comment.id))
      const { read, comments } = store.of(id)
      const at = isoOf(now())
      store.put(id, { read, comments: comments.map((comment) => (ids.has(comment.id) ? { ...comment, sentAt: at } : comment)) })
      return task
    },
    /** The folder of the last hand-back that can be undone; null if there is none. */
    rootOf: (id: string): string | null => history.applied(id).at(-1)?.journal.root ?? null,
    /** Why the files of a run must not be removed; null if they may be. */
    whyItStays: (id: string, signal: AbortSignal = AbortSignal.timeout(30_000)): Promise<StaysBecause> =>
      whyItStays(runs.get(id), history, repositories, signal),
    /** The disk space of the stored hand-backs of a run. */
    diskBytes: async (id: string): Promise<number> => (await diskBytesOf(placeBelow(path.join(deps.folder, 'journals'), id))) ?? 0,
    /** Removes the review of a run, and the copies that an undo would need. */
    async forget(id: string): Promise<void> {
      store.remove(id)
      await history.forget(id)
    },
    async recover(): Promise<void> {
      await fs.promises.rm(scratch, { recursive: true, force: true })
      await recover()
    },
  }
}

export type HandBackService = ReturnType<typeof createHandBackService>
