import fs from 'node:fs'
import path from 'node:path'
import type { Place } from './places.ts'
import { isFolder, isOwnFolder } from './stats-of.ts'

/** Agents write answers in many small steps: a place is checked once an agent pauses this long, or after `MAX_WAIT_MS`. */
const PAUSE_MS = 500
const MAX_WAIT_MS = 3000

export interface OtherWatcher {
  /** Existing places that are watched. */
  roots(): string[]
  close(): void
}

/**
 * Watches the places of the other agents: each folder below them, or the folder of a database. A change is reported
 * as the folder or database in which it happened.
 */
export function watchOthers(places: readonly Place[], onChange: (place: Place, paths: string[]) => void): OtherWatcher {
  const watches = new Map<string, fs.FSWatcher>()
  const scheduled = new Map<Place, { timer: NodeJS.Timeout; firstChangeAt: number; paths: Set<string> }>()

  const scheduleChange = (place: Place, changed: string) => {
    const before = scheduled.get(place)
    const firstChangeAt = before?.firstChangeAt ?? performance.now()
    const paths = (before?.paths ?? new Set()).add(changed)
    clearTimeout(before?.timer)
    const waitMs = Math.max(0, Math.min(PAUSE_MS, firstChangeAt + MAX_WAIT_MS - performance.now()))
    const timer = setTimeout(() => {
      scheduled.delete(place)
      onChange(
        place,
        [...paths].filter((file) => fs.existsSync(file)),
      )
    }, waitMs)
    timer.unref()
    scheduled.set(place, { timer, firstChangeAt, paths })
  }

  const watch = (folder: string, onName: (name: string) => void, key = folder) => {
    if (watches.has(key)) return
    try {
      const watcher = fs.watch(folder, { persistent: false }, (_, name) => name !== null && onName(name))
      watcher.on('error', () => {
        watcher.close()
        watches.delete(key)
      })
      watches.set(key, watcher)
    } catch {
      // No permission, or too many watches: the sessions are imported at the next start or import.
    }
  }

  const watchTree = (folder: string, place: Place) => {
    watch(folder, (name) => {
      const file = path.join(folder, name)
      if (isOwnFolder(file) && !watches.has(file)) watchTree(file, place)
      scheduleChange(place, folder)
    })
    let entries: fs.Dirent[] = []
    try {
      entries = fs.readdirSync(folder, { withFileTypes: true })
    } catch {
      return // the folder was deleted again
    }
    for (const entry of entries) if (entry.isDirectory()) watchTree(path.join(folder, entry.name), place)
  }

  for (const place of places) {
    if (isFolder(place.path)) watchTree(place.path, place)
    else {
      const name = path.basename(place.path)
      watch(path.dirname(place.path), (changed) => changed.startsWith(name) && scheduleChange(place, place.path), place.path)
    }
  }

  return {
    roots: () => places.flatMap(({ path: root }) => (watches.has(root) ? [root] : [])),
    close() {
      for (const watcher of watches.values()) watcher.close()
      for (const { timer } of scheduled.values()) clearTimeout(timer)
    },
  }
}
