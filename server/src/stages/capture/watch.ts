import fs from 'node:fs'
import path from 'node:path'
import { isFolder, isOwnFolder } from './stats-of.ts'

/**
 * Watches folders of transcripts. Watching libraries use one watch per file; one watch per folder needs only a few
 * dozen for thousands of sessions. The folder of a session is watched while the session is active.
 */
export interface Watcher {
  /** Also watches the folder of an active session. */
  follow(sessionFile: string): void
  /** `followLinks` changed. */
  linksChanged(): void
  /** Existing roots that are watched. */
  roots(): string[]
  close(): void
}

export interface WatchOptions {
  roots: string[]
  /** Whether linked folders are watched. */
  followLinks: () => boolean
  /** A file of a session may have changed. */
  onFile: (file: string) => void
  /** A folder was added; it may already contain files. */
  onFolder: (folder: string) => void
  onProblem: (kind: string, message: string, hint: string | null) => void
}

const MAX_FOLLOWED_SESSIONS = 64
const RAISE = 'Raise fs.inotify.max_user_watches. Until then, sessions arrive through hooks and imports only.'

function nearestAbove(place: string): string {
  const above = path.dirname(place)
  return isFolder(above) || above === path.dirname(above) ? above : nearestAbove(above)
}

export function createWatcher({ roots, followLinks, onFile, onFolder, onProblem }: WatchOptions): Watcher {
  const watches = new Map<string, fs.FSWatcher>()
  const attached = new Set<string>()
  const followed = new Map<string, string[]>()
  let closed = false

  const unwatch = (folder: string) => {
    watches.get(folder)?.close()
    watches.delete(folder)
  }

  const watch = (folder: string, onChange: (name: string) => void): boolean => {
    if (closed || watches.has(folder)) return watches.has(folder)
    try {
      const watcher = fs.watch(folder, { persistent: false }, (_, name) => name !== null && onChange(name))
      watcher.on('error', () => unwatch(folder))
      watches.set(folder, watcher)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EMFILE')
        onProblem('watch', `Can't watch the folder ${folder}: the system's limit for watched folders is reached.`, RAISE)
      return false
    }
  }

  const mayEnter = (folder: string) => (followLinks() ? isFolder(folder) : isOwnFolder(folder))

  const watchProject = (project: string) =>
    watch(project, (name) => {
      const file = path.join(project, name)
      if (name.endsWith('.jsonl')) onFile(file)
      else if (mayEnter(file)) followSession(`${file}.jsonl`)
      else if (!fs.existsSync(project)) unwatch(project)
    })

  const attach = (root: string) => {
    if (attached.has(root) || closed) return
    if (!isFolder(root)) return awaitRoot(root)
    attached.add(root)
    watch(root, (name) => {
      const file = path.join(root, name)
      if (name.endsWith('.jsonl')) onFile(file)
      else if (isFolder(file) && !watches.has(file)) {
        if (mayEnter(file)) watchProject(file)
        onFolder(file)
      } else if (!fs.existsSync(root)) {
        unwatch(root)
        attached.delete(root)
        awaitRoot(root)
      }
    })
    watchProjects(root)
  }

  const watchProjects = (root: string) => {
    for (const name of fs.readdirSync(root)) {
      const project = path.join(root, name)
      if (mayEnter(project)) watchProject(project)
      else unwatch(project)
    }
  }

  /** The root does not exist yet: its nearest ancestor is watched. */
  const awaitRoot = (root: string) => {
    const ancestor = nearestAbove(root)
    const next = path.join(ancestor, path.relative(ancestor, root).split(path.sep)[0]!)
    watch(ancestor, () => {
      if (!isFolder(next)) return
      unwatch(ancestor)
      attach(root)
      if (attached.has(root)) onFolder(root)
    })
    // It may have been created before the watch started.
    if (isFolder(next)) {
      unwatch(ancestor)
      attach(root)
    }
  }

  const followSession = (sessionFile: string) => {
    const session = sessionFile.slice(0, -'.jsonl'.length)
    const followedFolders = followed.get(session)
    followed.delete(session)
    const folders = followedFolders ?? []
    for (const folder of [session, path.join(session, 'subagents'), path.join(session, 'tool-results')]) {
      if (folders.includes(folder) || !mayEnter(folder)) continue
      const onChange = (name: string) => {
        if (folder !== session) onFile(path.join(folder, name))
        else if (name === 'subagents' || name === 'tool-results') followSession(sessionFile)
      }
      if (watch(folder, onChange)) {
        folders.push(folder)
        if (folder !== session) onFile(folder) // files may have been added before the watch started
      }
    }
    followed.set(session, folders)
    if (followed.size <= MAX_FOLLOWED_SESSIONS) return
    const oldest = followed.keys().next().value!
    followed.get(oldest)?.forEach(unwatch)
    followed.delete(oldest)
  }

  for (const root of roots) attach(root)

  return {
    follow: followSession,
    linksChanged() {
      for (const root of attached) if (isFolder(root)) watchProjects(root)
      const sessions = [...followed.keys()] // a copy, because followSession reorders the map
      for (const session of sessions) followSession(`${session}.jsonl`)
    },
    roots: () => [...attached],
    close() {
      closed = true
      for (const folder of watches.keys()) unwatch(folder)
    },
  }
}
