import fs from 'node:fs'
import path from 'node:path'
import type { EntryChange } from '#server/adapters/git/user-repository.ts'
import type { Mark } from './found.ts'

/** A path with its old and new content. */
export interface Step {
  path: string
  before: Mark | null
  after: Mark | null
  /** The position of the bytes of `before` in the file `kept`, and its permissions. */
  kept: { at: number; size: number; mode: number } | null
  /** Permissions of `after`. */
  mode: number
  /** The temporary path of the new file, relative to the root. */
  temporary: string
}

/** The facts of a hand-back, without its files. */
export interface HandBackFacts {
  taskId: string
  how: 'apply' | 'commit' | 'branch'
  at: string
  detail: string
  /** Whether it was the whole change. */
  isWhole: boolean
  /** The ref that it moves; `index`: the index entries that it sets. */
  ref: { name: string; before: string | null; after: string | null } | null
  index: { before: EntryChange[]; after: EntryChange[] }
  /** The folder name of the hand-back that it undoes. */
  undoes: string | null
}

export interface Journal extends HandBackFacts {
  root: string
  steps: Step[]
  /** Permissions of folders that may be removed with their last file. */
  folders: [path: string, mode: number][]
  /** Folders that were created. */
  made: string[]
}

/** begun: may be incomplete; applied: complete; left: rolled back except paths that someone else changed. */
export type JournalState = 'begun' | 'applied' | 'left'
const STATES: readonly JournalState[] = ['applied', 'left', 'begun']

export const keptIn = (folder: string): string => path.join(folder, 'kept')
const fileOf = (folder: string, state: JournalState): string => path.join(folder, `${state}.json`)

/** Records what has to be restored if the hand-back does not complete. */
export function beginJournal(folder: string, journal: Journal): void {
  const file = `${fileOf(folder, 'begun')}.new`
  fs.writeFileSync(file, JSON.stringify(journal), { mode: 0o600, flush: true })
  fs.renameSync(file, fileOf(folder, 'begun'))
  syncFolder(folder)
  syncFolder(path.dirname(folder))
}

/** Marks a hand-back as complete, or as rolled back in part, in one atomic step. */
export function endJournal(folder: string, state: 'applied' | 'left'): void {
  fs.renameSync(fileOf(folder, 'begun'), fileOf(folder, state))
  syncFolder(folder)
}

/** Null if the hand-back had not begun, so that nothing outside the folder was changed. */
export function readJournal(folder: string): { state: JournalState; journal: Journal } | null {
  for (const state of STATES) {
    const file = fileOf(folder, state)
    if (fs.existsSync(file)) return { state, journal: JSON.parse(fs.readFileSync(file, 'utf8')) as Journal }
  }
  return null
}

/** Removes the record first, because a folder without a record has no meaning. */
export function removeJournal(folder: string): void {
  for (const state of STATES) fs.rmSync(fileOf(folder, state), { force: true })
  fs.rmSync(folder, { recursive: true, force: true })
}

export function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
