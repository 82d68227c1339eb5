import fs from 'node:fs'
import path from 'node:path'
import type { EntryChange } from '#server/adapters/git/user-repository.ts'
import type { Mark } from './found.ts'

/** A path with what was there and what is put there. */
export interface Step {
  path: string
  before: Mark | null
  after: Mark | null
  /** The place of `before` in the kept bytes, and its permissions. */
  kept: { at: number; size: number; mode: number } | null
  /** Permissions of `after`. */
  mode: number
  /** Below the root: where the new file is written before it takes its place. */
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
  /** The ref that it moves, and the entries of the index that it sets. */
  ref: { name: string; before: string | null; after: string | null } | null
  index: { before: EntryChange[]; after: EntryChange[] }
  /** The hand-back that it takes back, by its folder. */
  undoes: string | null
}

export interface Journal extends HandBackFacts {
  root: string
  steps: Step[]
  /** Permissions of folders that may end with the last file in them. */
  folders: [path: string, mode: number][]
  /** Folders that were not there. */
  made: string[]
}

/** begun: may be half written; applied: whole; left: rolled back but for paths that somebody else changed. */
export type JournalState = 'begun' | 'applied' | 'left'
const STATES: readonly JournalState[] = ['applied', 'left', 'begun']

export const keptIn = (folder: string): string => path.join(folder, 'kept')
const fileOf = (folder: string, state: JournalState): string => path.join(folder, `${state}.json`)

/** From here on it is known what has to be put back. */
export function beginJournal(folder: string, journal: Journal): void {
  const file = `${fileOf(folder, 'begun')}.new`
  fs.writeFileSync(file, JSON.stringify(journal), { mode: 0o600, flush: true })
  fs.renameSync(file, fileOf(folder, 'begun'))
  syncFolder(folder)
  syncFolder(path.dirname(folder))
}

/** The one moment at which a hand-back becomes true (or is given up with something left). */
export function endJournal(folder: string, state: 'applied' | 'left'): void {
  fs.renameSync(fileOf(folder, 'begun'), fileOf(folder, state))
  syncFolder(folder)
}

/** Null: it was not begun, so nothing outside the folder was touched. */
export function readJournal(folder: string): { state: JournalState; journal: Journal } | null {
  for (const state of STATES) {
    const file = fileOf(folder, state)
    if (fs.existsSync(file)) return { state, journal: JSON.parse(fs.readFileSync(file, 'utf8')) as Journal }
  }
  return null
}

/** Its record goes first: a folder without one is nothing. */
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
