import fs from 'node:fs'
import { ForeignFileError, refusalOf } from './errors.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
/** Only Linux opens names relative to a descriptor; elsewhere a path is checked after each step, which a program could outrun. */
const BY_DESCRIPTOR = process.platform === 'linux'
const MAX_IDLE = 64

export interface NewFolder {
  mode: number
  owner?: { uid: number; gid: number } | undefined
  /** By default the process's umask applies to `mode`. */
  isExact?: boolean
}

/** An opened folder. `at` leads to it whatever happens to its path. */
interface Opened {
  at: string
  /** Null where folders cannot be opened. */
  handle: fs.promises.FileHandle | null
}

interface KeptFolder {
  ready: Promise<Opened>
  users: number
  /** To be closed by its last user: a descriptor's number is used again. */
  forgotten: boolean
}

/** Opens the folders below `root` one part at a time, without following links, and keeps some open for the next file. */
export class OpenFolders {
  private readonly kept = new Map<string, KeptFolder>()
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** Calls `use` with a path that leads to the folder; missing folders are made if `make` is given. */
  async in<T>(parts: readonly string[], make: NewFolder | null, use: (at: string) => Promise<T>): Promise<T> {
    const key = parts.join('/')
    const folder = this.kept.get(key) ?? this.open(key, parts, make)
    this.kept.delete(key)
    this.kept.set(key, folder) // the newest is last
    folder.users += 1
    try {
      return await use((await folder.ready).at)
    } finally {
      folder.users -= 1
      if (folder.forgotten) await closeUnused(folder)
      else await this.closeIdle()
    }
  }

  /** Forgets folders at or below a path that is about to go away. */
  async forget(name: string): Promise<void> {
    const stale = [...this.kept].filter(([key]) => name === '' || key === name || key.startsWith(`${name}/`))
    await Promise.all(stale.map((entry) => this.drop(...entry)))
  }

  close(): Promise<void> {
    return this.forget('')
  }

  private open(key: string, parts: readonly string[], make: NewFolder | null): KeptFolder {
    const folder: KeptFolder = { users: 0, ready: this.opened(parts, make), forgotten: false }
    folder.ready.catch(() => {
      if (this.kept.get(key) === folder) this.kept.delete(key)
    })
    return folder
  }

  private opened(parts: readonly string[], make: NewFolder | null): Promise<Opened> {
    if (parts.length === 0) return openFolder(this.root, '')
    const name = parts.join('/')
    return this.in(parts.slice(0, -1), make, async (at) => {
      const place = `${at}/${parts.at(-1)}`
      const isNew = make !== null && (await makeMissing(place, make, name))
      const opened = await openFolder(place, name)
      if (isNew && make.owner) await opened.handle?.chown(make.owner.uid, make.owner.gid)
      if (isNew && make.isExact === true) await (opened.handle?.chmod(make.mode) ?? fs.promises.chmod(place, make.mode))
      return opened
    })
  }

  private async closeIdle(): Promise<void> {
    if (this.kept.size <= MAX_IDLE) return
    const idle = [...this.kept].filter(([, { users }]) => users === 0)
    await Promise.all(idle.slice(0, this.kept.size - MAX_IDLE).map((entry) => this.drop(...entry)))
  }

  private async drop(key: string, folder: KeptFolder): Promise<void> {
    this.kept.delete(key)
    folder.forgotten = true
    await closeUnused(folder)
  }
}

async function closeUnused({ users, ready }: KeptFolder): Promise<void> {
  if (users > 0) return
  const opened = await ready.catch(() => null)
  await opened?.handle?.close()
}

async function makeMissing(place: string, { mode }: NewFolder, name: string): Promise<boolean> {
  try {
    await fs.promises.mkdir(place, { mode })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw refusalOf(error, name)
  }
}

async function openFolder(place: string, name: string): Promise<Opened> {
  try {
    if (!BY_DESCRIPTOR) return await checkedFolder(place, name)
    const handle = await fs.promises.open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    return { at: `/proc/self/fd/${handle.fd}`, handle }
  } catch (error) {
    throw refusalOf(error, name)
  }
}

async function checkedFolder(place: string, name: string): Promise<Opened> {
  const stat = await fs.promises.lstat(place)
  if (!stat.isDirectory()) throw new ForeignFileError(name, 'not_a_folder', 'is a link or not a folder, and links are not followed')
  return { at: place, handle: null }
}
