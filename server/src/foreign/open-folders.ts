import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, refusalOf } from './errors.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
/** Opens a folder that may only be passed through; Node has no name for it. */
const O_PATH = 0o10000000
/** Only Linux opens names relative to a descriptor; elsewhere a path is checked after each step, which a program could outrun. */
const BY_DESCRIPTOR = process.platform === 'linux'
const MAX_IDLE = 64

export interface NewFolder {
  mode: number
  owner?: { uid: number; gid: number } | undefined
  /** By default the process's umask applies to `mode`. */
  isExact?: boolean
}

/** A folder that stays the same one, whatever happens to its path. */
export interface OpenFolder {
  /** Leads to it in this process. */
  path: string
  /** Null where the system has no such descriptors. */
  fd: number | null
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
  private readonly isJudged: boolean

  /** `isJudged`: no folder above `root` may be a link, either. */
  constructor(root: string, isJudged: boolean) {
    this.root = root
    this.isJudged = isJudged
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

  /** Calls `use` with an opened folder, which a program that is started meanwhile can inherit. */
  async withOpen<T>(parts: readonly string[], use: (folder: OpenFolder) => Promise<T>): Promise<T> {
    return this.in(parts, null, (at) => {
      const fd = /^\/proc\/self\/fd\/(\d+)$/.exec(at)?.[1]
      return use(fd === undefined ? { path: at, fd: null } : { path: at, fd: Number(fd) })
    })
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
    if (parts.length === 0) return this.isJudged ? openJudged(this.root) : openFolder(this.root, '')
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

/** Opens a path one part at a time, so that a link that took the place of any part is not followed. */
async function openJudged(root: string): Promise<Opened> {
  if (!BY_DESCRIPTOR) return openUnlinked(root)
  const parts = path.resolve(root).split('/').filter(Boolean)
  let above: fs.promises.FileHandle | null = null
  try {
    for (const [index, part] of ['/', ...parts].entries()) {
      const place: string = above === null ? part : `/proc/self/fd/${above.fd}/${part}`
      const access = index === parts.length ? O_RDONLY : O_PATH
      const next = await fs.promises.open(place, access | O_DIRECTORY | O_NOFOLLOW)
      await above?.close()
      above = next
    }
    return { at: `/proc/self/fd/${above!.fd}`, handle: above }
  } catch (error) {
    await above?.close()
    throw refusalOf(error, '', root)
  }
}

async function openUnlinked(root: string): Promise<Opened> {
  try {
    if ((await fs.promises.realpath(root)) !== path.resolve(root)) throw new ForeignFileError('', 'link', 'is below a link, and links are not followed') // prettier-ignore
    return await checkedFolder(root, '')
  } catch (error) {
    throw refusalOf(error, '', root)
  }
}

async function checkedFolder(place: string, name: string): Promise<Opened> {
  const stat = await fs.promises.lstat(place)
  if (!stat.isDirectory()) throw new ForeignFileError(name, 'not_a_folder', 'is a link or not a folder, and links are not followed')
  return { at: place, handle: null }
}
