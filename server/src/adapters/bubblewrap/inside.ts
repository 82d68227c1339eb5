/** Reads and writes files of a machine from outside, while its programs may change them at any time. Follows no links. */
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
  /** By default this process's user. */
  owner: { uid: number; gid: number } | undefined
  limitBytes: number
}

/** `root`: the folder on this machine that is / inside. Throws `NotRun` unless `place` is a regular file. */
export async function readInside(root: string, place: string): Promise<Readable> {
  const { folder, name } = openParent(root, place, null)
  try {
    const fd = fs.openSync(pathIn(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK) // opening a FIFO would block
    if (fs.fstatSync(fd).isFile()) return fs.createReadStream('', { fd })
    fs.closeSync(fd)
    throw new NotRun('invalid_request', `${place} in the machine is not a regular file.`)
  } catch (error) {
    throw refusal(error, place)
  } finally {
    fs.closeSync(folder)
  }
}

/** Creates missing folders. Replaces an existing file in one step; a failed write leaves nothing. */
export async function writeInside(root: string, place: string, content: Buffer | Readable, file: NewFile): Promise<void> {
  const { folder, name } = openParent(root, place, file)
  const temporary = pathIn(folder, `.${randomBytes(8).toString('hex')}`)
  try {
    await writeNew(temporary, place, content, file)
    fs.renameSync(temporary, pathIn(folder, name))
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw refusal(error, place)
  } finally {
    fs.closeSync(folder)
  }
}

/** Creates a folder of a machine and its missing parents. */
export function makeFolderInside(root: string, place: string, file: NewFile): void {
  fs.closeSync(openParent(root, path.join(place, 'x'), file).folder) // opens the parent of a file that is never created
}

async function writeNew(temporary: string, place: string, content: Buffer | Readable, { mode, owner, limitBytes }: NewFile): Promise<void> {
  const file = await fs.promises.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    let remaining = limitBytes
    for await (const chunk of content instanceof Readable ? content : [content]) {
      remaining -= (chunk as Buffer).length
      if (remaining < 0) throw new NotRun('invalid_request', `${place} would be larger than the limit for a file (${limitBytes} bytes).`)
      await file.writeFile(chunk as Buffer) // continues at the end of the last chunk
    }
    // By descriptor, because a program may have replaced the file of this name.
    await file.chmod(mode)
    if (owner) await file.chown(owner.uid, owner.gid)
  } finally {
    await file.close()
  }
}

/** The path of a name in an open folder. */
const pathIn = (folder: number, name: string) => `/proc/self/fd/${folder}/${name}`

/** Opens each folder of the path through the descriptor of its parent, so that no program can replace a part with a link. */
function openParent(root: string, place: string, newFile: NewFile | null): { folder: number; name: string } {
  requirePlace(place, 'The path')
  const parts = place.split('/').filter(Boolean)
  const name = parts.pop()
  if (name === undefined) throw new NotRun('invalid_request', '/ is not a file.')
  let folder = fs.openSync(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  for (const [index, part] of parts.entries()) {
    try {
      const child = openFolder(pathIn(folder, part), newFile)
      fs.closeSync(folder)
      folder = child
    } catch (error) {
      fs.closeSync(folder)
      throw refusal(error, `/${parts.slice(0, index + 1).join('/')}`)
    }
  }
  return { folder, name }
}

function openFolder(place: string, newFile: NewFile | null): number {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
  if (!newFile || fs.lstatSync(place, { throwIfNoEntry: false })) return fs.openSync(place, flags)
  fs.mkdirSync(place, { mode: 0o755 })
  const fd = fs.openSync(place, flags)
  if (newFile.owner) fs.fchownSync(fd, newFile.owner.uid, newFile.owner.gid)
  return fd
}

const REASONS: Partial<Record<string, string>> = lookup({
  ENOENT: 'does not exist',
  ELOOP: 'is a link, and links are not followed',
  ENOTDIR: 'is a link or not a folder, and links are not followed',
  EISDIR: 'is a folder',
  EACCES: 'cannot be opened (permission denied)',
  ENXIO: 'is not a regular file',
  ENAMETOOLONG: 'has a name that is too long',
})

function refusal(error: unknown, place: string): Error {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? (error as Error) : new NotRun('invalid_request', `${place} in the machine ${reason}.`)
}
