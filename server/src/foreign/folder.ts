import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { ForeignFileError, refusalOf } from './errors.ts'
import { partsOf } from './names.ts'
import { type OpenFolder, type NewFolder, OpenFolders } from './open-folders.ts'

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants
/** A folder on a dead network disk never answers. */
const DEADLINE_MS = 30_000
const CHUNK = 64 * 1024

export type ForeignKind = 'file' | 'folder' | 'link' | 'other'

export interface Found {
  kind: ForeignKind
  /** In bytes. */
  size: number
  mode: number
  uid: number
  gid: number
  ino: number
  mtimeMs: number
  ctimeMs: number
}

export interface ForeignEntry {
  /** The path below the folder, with "/". */
  name: string
  kind: ForeignKind
}

export interface NewForeignFile {
  mode: number
  limitBytes: number
  /** By default this process's user. Also of folders that are made. `isOptional`: ignored where this process's user may not. */
  owner?: { uid: number; gid: number; isOptional?: boolean } | undefined
  /** False: an existing file is an error. */
  replace?: boolean
  /** True: on the disk before the call ends, as far as the disk says so. */
  sync?: boolean
}

/**
 * The one way to read and write files below a folder that somebody else may change at any time: a user's project, the files
 * of a sandbox or an image, an unpacked archive. Names are paths below the folder. Each part is opened without following
 * links, only regular files are opened, and never waited for. Throws `ForeignFileError`.
 *
 * An object is for one pass over the folder: it keeps folders open, so that a replaced folder is still the one it saw first.
 */
export class ForeignFolder {
  readonly root: string
  private readonly folders: OpenFolders

  /** `root` itself must not be a link: whoever chose it resolves it. `isJudged`: nothing above it may be one, either. */
  constructor(root: string, { isJudged = false }: { isJudged?: boolean } = {}) {
    this.root = root
    this.folders = new OpenFolders(root, isJudged)
  }

  close(): Promise<void> {
    return this.folders.close()
  }

  /** What has this name, without following it; null if nothing has, also below a link or a file. */
  async find(name: string): Promise<Found | null> {
    try {
      return await this.at(name, null, async (at) => foundOf(await fs.promises.lstat(at)))
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      if (error.file === '' && name !== '' && error.code !== 'missing') throw error // the root was replaced: unknown, not nothing
      if (['missing', 'not_a_folder', 'link'].includes(error.code)) return null
      throw error
    }
  }

  /** Holds a folder open for `use`: a program that inherits its descriptor is in this very folder. */
  withOpen<T>(name: string, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
    return this.folders.withOpen(partsOf(name), use)
  }

  /** The content of a regular file of at most `limitBytes`. */
  async read(name: string, limitBytes: number): Promise<Buffer> {
    return (await this.readFile(name, limitBytes)).content
  }

  /** Like `read`, with the permissions of the file. */
  readFile(name: string, limitBytes: number): Promise<{ content: Buffer; mode: number }> {
    return inTime(
      name,
      this.withFile(name, async (file, { size, mode }) => {
        if (size > limitBytes) throw tooLarge(name, size, limitBytes)
        return { content: await readAll(file, { name, size, limitBytes }), mode: mode & 0o7777 }
      }),
    )
  }

  async text(name: string, limitBytes: number): Promise<string> {
    return (await this.read(name, limitBytes)).toString('utf8')
  }

  /** Like `text`; null where nothing readable of at most that size has the name. */
  async textOrNull(name: string, limitBytes: number): Promise<string | null> {
    try {
      return await this.text(name, limitBytes)
    } catch (error) {
      if (error instanceof ForeignFileError) return null
      throw error
    }
  }

  /** A regular file, from its beginning. */
  async stream(name: string): Promise<Readable> {
    const { handle } = await inTime(name, this.opened(name))
    return handle.createReadStream()
  }

  /** A regular file, opened for reading, until `use` ends. */
  async withFile<T>(name: string, use: (file: fs.promises.FileHandle, found: Found) => Promise<T>): Promise<T> {
    const { handle, stat } = await inTime(name, this.opened(name))
    try {
      return await use(handle, foundOf(stat))
    } finally {
      await handle.close()
    }
  }

  async readLink(name: string): Promise<string> {
    return (await this.linkBytes(name)).toString('utf8')
  }

  /** The target of a link as the file system has it, which need not be UTF-8. */
  linkBytes(name: string): Promise<Buffer> {
    return this.at(name, null, (at) => fs.promises.readlink(at, { encoding: 'buffer' }))
  }

  /** Whether files can be made in a folder and removed from it. */
  async isWritable(name: string): Promise<boolean> {
    const { W_OK, X_OK } = fs.constants
    return this.folders.in(partsOf(name), null, (at) => fs.promises.access(`${at}/.`, W_OK | X_OK).then(() => true, () => false)) // prettier-ignore
  }

  /** Puts names that were made in a folder or removed from it on the disk. */
  syncFolder(name: string): Promise<void> {
    return this.folders.in(partsOf(name), null, async (at) => {
      const folder = await fs.promises.open(`${at}/.`, O_RDONLY)
      await folder.sync().finally(() => folder.close())
    })
  }

  /** The entries of a folder by name, at most `limit` of them. */
  async list(name = '', limit = Infinity): Promise<ForeignEntry[]> {
    const read = this.folders.in(partsOf(name), null, async (at) => {
      const found: ForeignEntry[] = []
      for await (const entry of await fs.promises.opendir(at)) {
        if (found.length >= limit) break
        found.push({ name: name === '' ? entry.name : `${name}/${entry.name}`, kind: kindOf(entry) })
      }
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    })
    return inTime(name, read.catch((error: unknown) => Promise.reject(refusalOf(error, name)))) // prettier-ignore
  }

  /** All entries below a folder, a folder before its content. `enter` decides which folders are entered; links never are. */
  async *walk(name = '', enter: (folder: string) => boolean = () => true): AsyncGenerator<ForeignEntry> {
    const waiting: ForeignEntry[] = (await this.list(name)).toReversed()
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      yield entry
      if (entry.kind === 'folder' && enter(entry.name)) waiting.push(...(await this.listIfThere(entry.name)).toReversed())
    }
  }

  /** Writes a file, in one step where it replaces another, and makes missing folders. A link of this name is replaced, not followed. */
  async writeFile(name: string, content: Buffer | string | AsyncIterable<Buffer>, file: NewForeignFile): Promise<void> {
    const folder = { mode: 0o755, owner: file.owner }
    await this.at(name, folder, async (at, parent) => {
      if (file.replace === false) return writeNew(at, content, name, file)
      const temporary = `${parent}/.${randomBytes(8).toString('hex')}`
      await writeNew(temporary, content, name, file)
      try {
        await fs.promises.rename(temporary, at)
      } catch (error) {
        await fs.promises.rm(temporary, { force: true })
        throw error
      }
    })
  }

  /** Adds to the end of a regular file, which is made if it is missing. Its folder must exist. */
  append(name: string, text: string, mode: number): Promise<void> {
    return this.at(name, null, async (at) => {
      const flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK
      const open = () => fs.promises.open(at, flags)
      const make = () => fs.promises.open(at, flags | O_CREAT | O_EXCL, 0o600)
      const isMissing = (await this.find(name)) === null
      if (!isMissing) requireFile(await fs.promises.lstat(at), name) // opening a device can have effects
      const file = await (isMissing ? make() : open())
      try {
        requireFile(await file.stat(), name)
        if (isMissing) await file.chmod(mode)
        await file.writeFile(text)
      } finally {
        await file.close()
      }
    })
  }

  /** Makes a folder and its missing parents. */
  makeFolder(name: string, folder: NewFolder = { mode: 0o755 }): Promise<void> {
    return this.folders.in(partsOf(name), folder, async () => {})
  }

  /** Makes a link, which is never followed here. Fails if the name exists. */
  makeLink(name: string, target: string | Buffer, owner?: { uid: number; gid: number }): Promise<void> {
    return this.at(name, { mode: 0o755, owner }, async (at) => {
      await fs.promises.symlink(target, at)
      if (owner) await fs.promises.lchown(at, owner.uid, owner.gid)
    })
  }

  /** Changes the permissions of a regular file. */
  async setMode(name: string, mode: number): Promise<void> {
    await this.withFile(name, (file) => file.chmod(mode))
  }

  /** Removes a file, a link or an empty folder. */
  async remove(name: string): Promise<void> {
    await this.folders.forget(name)
    await this.at(name, null, async (at) => {
      if ((await fs.promises.lstat(at)).isDirectory()) await fs.promises.rmdir(at)
      else await fs.promises.unlink(at)
    })
  }

  /** Removes an empty folder, and never a file. */
  async removeFolder(name: string): Promise<void> {
    await this.folders.forget(name)
    await this.at(name, null, (at) => fs.promises.rmdir(at))
  }

  /** Removes whatever has this name, with everything below it. Links are removed, not followed. */
  async removeTree(name: string): Promise<void> {
    const found = await this.find(name)
    if (found === null) return
    if (found.kind === 'folder') for (const entry of await this.listIfThere(name)) await this.removeTree(entry.name)
    await this.remove(name)
  }

  async rename(from: string, to: string): Promise<void> {
    await this.folders.forget(from)
    await this.at(from, null, (old) => this.at(to, { mode: 0o755 }, (at) => fs.promises.rename(old, at)))
  }

  /** Like `rename` for a file, but fails if the new name exists. */
  async renameNew(from: string, to: string): Promise<void> {
    await this.at(from, null, (old) => this.at(to, null, (at) => linkNew(old, at)))
  }

  private async listIfThere(name: string): Promise<ForeignEntry[]> {
    try {
      return await this.list(name)
    } catch (error) {
      if (error instanceof ForeignFileError && ['missing', 'not_a_folder', 'link', 'denied'].includes(error.code)) return []
      throw error
    }
  }

  /** Calls `use` with a path to the name that leads through no link, and the path to its folder. */
  private async at<T>(name: string, make: NewFolder | null, use: (at: string, parent: string) => Promise<T>): Promise<T> {
    const parts = partsOf(name)
    const last = parts.pop()
    if (last === undefined) return this.folders.in([], null, (at) => use(`${at}/.`, at))
    return this.folders.in(parts, make, async (parent) => {
      try {
        return await use(`${parent}/${last}`, parent)
      } catch (error) {
        throw refusalOf(error, name)
      }
    })
  }

  private async opened(name: string): Promise<{ handle: fs.promises.FileHandle; stat: fs.Stats }> {
    return this.at(name, null, async (at) => {
      requireFile(await fs.promises.lstat(at), name) // opening a device can have effects
      const handle = await fs.promises.open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try {
        const stat = await handle.stat()
        requireFile(stat, name) // it may have been replaced
        return { handle, stat }
      } catch (error) {
        await handle.close()
        throw error
      }
    })
  }
}

/**
 * Like `inForeign`, for a path without links that was judged by itself: a link that took the place of a part of it, also
 * of a folder above, is not followed.
 */
export async function inJudged<T>(root: string, use: (folder: ForeignFolder) => Promise<T>): Promise<T> {
  const folder = new ForeignFolder(root, { isJudged: true })
  try {
    return await use(folder)
  } finally {
    await folder.close()
  }
}

/** Reads or writes below a folder and closes it. */
export async function inForeign<T>(root: string, use: (folder: ForeignFolder) => Promise<T>): Promise<T> {
  const folder = new ForeignFolder(root)
  try {
    return await use(folder)
  } finally {
    await folder.close()
  }
}

interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

function kindOf(entry: Kinds): ForeignKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

const foundOf = (stat: fs.Stats): Found => ({
  kind: kindOf(stat),
  size: stat.size,
  mode: stat.mode & 0o7777,
  uid: stat.uid,
  gid: stat.gid,
  ino: stat.ino,
  ctimeMs: stat.ctimeMs,
  mtimeMs: stat.mtimeMs,
})

function requireFile(stat: Kinds, name: string): void {
  const kind = kindOf(stat)
  if (kind === 'link') throw new ForeignFileError(name, 'link', 'is a link, and links are not followed')
  if (kind === 'folder') throw new ForeignFileError(name, 'folder', 'is a folder')
  if (kind === 'other') throw new ForeignFileError(name, 'not_regular', 'is not a regular file')
}

const tooLarge = (name: string, size: number, limit: number) =>
  new ForeignFileError(name, 'too_large', `has ${size} bytes, more than the ${limit} that are read`)

async function readAll(
  file: fs.promises.FileHandle,
  { name, size, limitBytes }: { name: string; size: number; limitBytes: number },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(total < size ? size - total + 1 : CHUNK))
    if (bytesRead === 0) return Buffer.concat(chunks, total)
    total += bytesRead
    if (total > limitBytes) throw tooLarge(name, total, limitBytes) // it grew
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

/** A failed write leaves nothing. */
async function writeNew(
  at: string,
  content: Buffer | string | AsyncIterable<Buffer>,
  name: string,
  { mode, owner, limitBytes, sync }: NewForeignFile,
): Promise<void> {
  const file = await fs.promises.open(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    let remaining = limitBytes
    for await (const chunk of typeof content === 'string' ? [Buffer.from(content)] : Buffer.isBuffer(content) ? [content] : content) {
      remaining -= chunk.length
      if (remaining < 0) throw new ForeignFileError(name, 'too_large', `would be larger than the limit for a file (${limitBytes} bytes)`)
      await file.writeFile(chunk) // continues at the end of the last chunk
    }
    // By descriptor, because a program may have replaced the file of this name.
    if (owner) await file.chown(owner.uid, owner.gid).catch((error: unknown) => owner.isOptional || Promise.reject(error as Error))
    await file.chmod(mode) // after its owner, whose change removes permissions
    if (sync === true) await file.sync()
    await file.close()
  } catch (error) {
    await file.close().catch(() => {}) // the first error is the one to report
    await fs.promises.rm(at, { force: true })
    throw error
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** A hard link replaces nothing, unlike a rename; not every disk has them. */
async function linkNew(old: string, at: string): Promise<void> {
  try {
    await fs.promises.link(old, at)
  } catch (error) {
    if (!NO_HARD_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    const isThere = await fs.promises.lstat(at).then(() => true, () => false) // prettier-ignore
    if (isThere) throw Object.assign(new Error('exists'), { code: 'EEXIST' })
    return fs.promises.rename(old, at)
  }
  await fs.promises.unlink(old)
}

/** A call that hangs keeps its thread, but not its caller. */
async function inTime<T>(name: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const seconds = DEADLINE_MS / 1000
  const timer = setTimeout(() => reject(new ForeignFileError(name, 'slow', `did not answer within ${seconds} s`)), DEADLINE_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
