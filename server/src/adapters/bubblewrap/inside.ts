/** Files of a machine, read and written from outside while programs in it may do anything with them. No link is followed. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { lookup } from '#contracts/lookup.ts'
import { NotRun } from '../sandbox/types.ts'
import { requirePlace } from './machine-root.ts'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

export interface NewFile {
  mode: number
  /** Undefined: this process's user. */
  owner: { uid: number; gid: number } | undefined
  limitBytes: number
}

/** `root`: the folder on this machine that is / inside. Throws `NotRun` for what is not a plain file. */
export async function readInside(root: string, place: string): Promise<Readable> {
  const { folder, name } = openParent(root, place, null)
  try {
    const fd = fs.openSync(at(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK) // a FIFO would wait
    if (fs.fstatSync(fd).isFile()) return fs.createReadStream('', { fd })
    fs.closeSync(fd)
    throw new NotRun('invalid_request', `${place} in the machine is no plain file.`)
  } catch (error) {
    throw refusal(error, place)
  } finally {
    fs.closeSync(folder)
  }
}

/** Folders on the way are made. What was there is replaced in one step; nothing is left of a write that fails. */
export async function writeInside(root: string, place: string, content: Buffer | Readable, file: NewFile): Promise<void> {
  const { folder, name } = openParent(root, place, file)
  const part = at(folder, `.${randomBytes(8).toString('hex')}`)
  try {
    await writeNew(part, place, content, file)
    fs.renameSync(part, at(folder, name))
  } catch (error) {
    fs.rmSync(part, { force: true })
    throw refusal(error, place)
  } finally {
    fs.closeSync(folder)
  }
}

/** A folder of a machine and those above it; created if they are missing. */
export function makeFolderInside(root: string, place: string, file: NewFile): void {
  fs.closeSync(openParent(root, path.join(place, 'x'), file).folder) // of a file that is not made
}

async function writeNew(part: string, place: string, content: Buffer | Readable, { mode, owner, limitBytes }: NewFile): Promise<void> {
  const file = await fs.promises.open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    let left = limitBytes
    for await (const chunk of content instanceof Readable ? content : [content]) {
      left -= (chunk as Buffer).length
      if (left < 0) throw new NotRun('invalid_request', `${place} would be larger than a file may be (${limitBytes} bytes).`)
      await file.writeFile(chunk as Buffer) // continues where the last one ended
    }
    // through the descriptor: the name may be another file by now
    await file.chmod(mode)
    if (owner) await file.chown(owner.uid, owner.gid)
  } finally {
    await file.close()
  }
}

/** A name in an open folder. */
const at = (folder: number, name: string) => `/proc/self/fd/${folder}/${name}`

/** Opens folder after folder, each through the one before, so that none can be changed for a link meanwhile. */
function openParent(root: string, place: string, make: NewFile | null): { folder: number; name: string } {
  requirePlace(place, 'The path')
  const parts = place.split('/').filter(Boolean)
  const name = parts.pop()
  if (name === undefined) throw new NotRun('invalid_request', '/ is no file.')
  let folder = fs.openSync(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  for (const [index, part] of parts.entries()) {
    try {
      const below = openFolder(at(folder, part), make)
      fs.closeSync(folder)
      folder = below
    } catch (error) {
      fs.closeSync(folder)
      throw refusal(error, `/${parts.slice(0, index + 1).join('/')}`)
    }
  }
  return { folder, name }
}

function openFolder(place: string, make: NewFile | null): number {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
  if (!make || fs.lstatSync(place, { throwIfNoEntry: false })) return fs.openSync(place, flags)
  fs.mkdirSync(place, { mode: 0o755 })
  const fd = fs.openSync(place, flags)
  if (make.owner) fs.fchownSync(fd, make.owner.uid, make.owner.gid)
  return fd
}

const WHY: Partial<Record<string, string>> = lookup({
  ENOENT: 'is not there',
  ELOOP: 'is a link, and links are not followed',
  ENOTDIR: 'is a link or no folder, and links are not followed',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened',
  ENXIO: 'is no plain file',
  ENAMETOOLONG: 'is too long a name',
})

function refusal(error: unknown, place: string): Error {
  const why = WHY[(error as NodeJS.ErrnoException).code ?? '']
  return why === undefined ? (error as Error) : new NotRun('invalid_request', `${place} in the machine ${why}.`)
}
