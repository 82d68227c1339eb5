import { create } from 'zustand'
import type { ChangedFile } from '#contracts/entities/task.ts'
import type { z } from 'zod'
import type { ChangeSelection } from '#contracts/entities/task.ts'

/** What is left out of a hand-back: of a run, hunks by file; a file with `whole` as a whole. Everything else is taken. */
interface LeftOut {
  byTask: ReadonlyMap<string, ReadonlySet<string>>
}

export const useLeftOutStore = create<LeftOut>(() => ({ byTask: new Map() }))

const NONE: ReadonlySet<string> = new Set()
export const useLeftOut = (id: string): ReadonlySet<string> => useLeftOutStore(({ byTask }) => byTask.get(id) ?? NONE)

export const setLeftOut = (id: string, next: ReadonlySet<string>): void =>
  useLeftOutStore.setState(({ byTask }) => ({ byTask: new Map(byTask).set(id, next) }))

export const hunkKey = (path: string, hunk: string): string => `${path}\0${hunk}`

/** Parts of a file that are taken or left by themselves; of one without known hunks there is only the whole. */
export const partsOf = ({ path, hunks, isShortened }: ChangedFile): string[] =>
  hunks.length === 0 || isShortened ? [hunkKey(path, '')] : hunks.map(({ id }) => hunkKey(path, id))

/** How much of a file is taken. */
export function takenOf(file: ChangedFile, left: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const parts = partsOf(file)
  const out = parts.filter((part) => left.has(part)).length
  return out === 0 ? 'all' : out === parts.length ? 'none' : 'some'
}

/** The set with some parts taken or left. */
export function withParts(left: ReadonlySet<string>, parts: readonly string[], isTaken: boolean): ReadonlySet<string> {
  const next = new Set(left)
  for (const part of parts) {
    if (isTaken) next.delete(part)
    else next.add(part)
  }
  return next
}

/** What a hand-back is asked for; undefined: everything. */
export function selectionOf(files: readonly ChangedFile[], left: ReadonlySet<string>): z.input<typeof ChangeSelection> | undefined {
  const states = files.map((file) => ({ file, taken: takenOf(file, left) }))
  if (states.every(({ taken }) => taken === 'all')) return undefined
  return states.flatMap(({ file, taken }) => {
    if (taken === 'none') return []
    if (taken === 'all') return [{ path: file.path }]
    return [{ path: file.path, hunks: file.hunks.filter(({ id }) => !left.has(hunkKey(file.path, id))).map(({ id }) => id) }]
  })
}
