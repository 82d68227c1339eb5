import type { z } from 'zod'
import { create } from 'zustand'
import type { ChangedFile, ChangeSelection } from '#contracts/entities/task.ts'

/** Keys of the parts that are left out of a hand-back, by task. All other parts are taken. */
interface LeftOut {
  byTask: ReadonlyMap<string, ReadonlySet<string>>
}

export const useLeftOutStore = create<LeftOut>(() => ({ byTask: new Map() }))

const NONE: ReadonlySet<string> = new Set()
export const useLeftOut = (id: string): ReadonlySet<string> => useLeftOutStore(({ byTask }) => byTask.get(id) ?? NONE)

export const setLeftOut = (id: string, next: ReadonlySet<string>): void =>
  useLeftOutStore.setState(({ byTask }) => ({ byTask: new Map(byTask).set(id, next) }))

export const hunkKey = (path: string, hunk: string): string => `${path}\0${hunk}`

/** The parts of a file that can be taken or left out. A shortened file is one part, because some of its hunks are missing. */
export const partsOf = ({ path, hunks, isShortened }: ChangedFile): string[] =>
  hunks.length === 0 || isShortened ? [hunkKey(path, '')] : hunks.map(({ id }) => hunkKey(path, id))

export function takenOf(file: ChangedFile, left: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const parts = partsOf(file)
  const leftOutCount = parts.filter((part) => left.has(part)).length
  return leftOutCount === 0 ? 'all' : leftOutCount === parts.length ? 'none' : 'some'
}

export function withParts(left: ReadonlySet<string>, parts: readonly string[], isTaken: boolean): ReadonlySet<string> {
  const updated = new Set(left)
  for (const part of parts) {
    if (isTaken) updated.delete(part)
    else updated.add(part)
  }
  return updated
}

/** The selection to hand back; undefined if everything is taken. */
export function selectionOf(files: readonly ChangedFile[], left: ReadonlySet<string>): z.input<typeof ChangeSelection> | undefined {
  const states = files.map((file) => ({ file, taken: takenOf(file, left) }))
  if (states.every(({ taken }) => taken === 'all')) return undefined
  return states.flatMap(({ file, taken }) => {
    if (taken === 'none') return []
    if (taken === 'all') return [{ path: file.path }]
    return [{ path: file.path, hunks: file.hunks.filter(({ id }) => !left.has(hunkKey(file.path, id))).map(({ id }) => id) }]
  })
}
