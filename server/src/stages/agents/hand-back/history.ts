import fs from 'node:fs'
import type { Task } from '#contracts/entities/task.ts'
import { placeBelow } from '#server/within.ts'
import { type Journal, type JournalState, readJournal } from './tree/journal.ts'

const DIGITS = 6

export interface HistoryEntry {
  /** The name of its folder in the folder of the run. */
  name: string
  folder: string
  state: JournalState | null
  journal: Journal | null
}

/** The journals of hand-backs: a folder for each run, which has a numbered folder for each hand-back. */
export function createHistory(root: string) {
  const runFolder = (taskId: string) => placeBelow(root, taskId)
  const names = (folder: string) => (fs.existsSync(folder) ? fs.readdirSync(folder).toSorted() : [])
  const of = (taskId: string): HistoryEntry[] =>
    names(runFolder(taskId)).map((name) => {
      const folder = placeBelow(root, taskId, name)
      const found = readJournal(folder)
      return { name, folder, state: found?.state ?? null, journal: found?.journal ?? null }
    })
  const applied = (taskId: string) => of(taskId).filter(({ state, journal }) => state === 'applied' && journal?.undoes === null)
  return {
    of,
    applied: applied as (taskId: string) => (HistoryEntry & { journal: Journal })[],
    tasks: (): string[] => names(root),
    folderOf: (taskId: string, name: string): string => placeBelow(root, taskId, name),
    /** The path for the next journal. Its parent folder is created. */
    next(taskId: string): string {
      fs.mkdirSync(runFolder(taskId), { recursive: true, mode: 0o700 })
      const last = Number(names(runFolder(taskId)).at(-1) ?? 0)
      return placeBelow(root, taskId, String(last + 1).padStart(DIGITS, '0'))
    },
    /** The last applied hand-back of a run, or null. */
    last(taskId: string): Task['handedBack'] {
      const journal = applied(taskId).at(-1)?.journal
      return journal ? { how: journal.how, at: journal.at, detail: journal.detail, canUndo: true } : null
    },
    forget: (taskId: string): Promise<void> => fs.promises.rm(runFolder(taskId), { recursive: true, force: true }),
  }
}

export type History = ReturnType<typeof createHistory>
