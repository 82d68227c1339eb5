/** The settings file on disk: found through symlinks, replaced atomically and only if unchanged in the meantime. */
import { lookup } from '#contracts/lookup.ts'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

export interface SettingsFile {
  /** The requested path. */
  file: string
  /** Where the bytes are: the end of a chain of symlinks, which may not exist yet. */
  target: string
  /** Null if there is no file. */
  bytes: Buffer | null
  mode: number
}

const MAX_LINKS = 40 // the kernel's own limit

function targetOf(file: string): string {
  let target = path.resolve(file)
  for (let links = 0; links < MAX_LINKS; links += 1) {
    let to: string
    try {
      to = fs.readlinkSync(target)
    } catch {
      return target // not a link, or nothing there
    }
    target = path.resolve(path.dirname(target), to)
  }
  throw new AppError('client_settings_invalid', { message: `${file} is a symlink loop, so nothing was written.` })
}

export function readSettingsFile(file: string): SettingsFile {
  const target = targetOf(file)
  try {
    const found = fs.statSync(target)
    // Reading a pipe or a device could block forever. The read reports folders.
    if (!found.isFile() && !found.isDirectory()) {
      throw new AppError('client_settings_invalid', { message: `${file} is not a regular file. It was left unchanged.` })
    }
    return { file, target, bytes: fs.readFileSync(target), mode: found.mode & 0o7777 }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { file, target, bytes: null, mode: 0o600 }
    throw unusable(cause, file, 'read')
  }
}

/** A file without any write permission is write-protected on purpose, although a rename could replace it. */
export function refuseReadOnly(read: SettingsFile): void {
  if (read.bytes !== null && (read.mode & 0o222) === 0) {
    throw new AppError('client_settings_invalid', {
      message: `${read.target} is read-only, so it was left unchanged.`,
      hint: `Make it writable (chmod u+w) and try again.`,
    })
  }
}

/**
 * Replaces the file that was read by `bytes` (null: no file), or returns false if it changed since.
 * A reader sees the old or the new bytes, never a part; a crash leaves at most a temporary file.
 */
export function replaceSettingsFile(read: SettingsFile, bytes: Uint8Array | null): boolean {
  const folder = path.dirname(read.target)
  const temporary = path.join(folder, `.settings-${randomBytes(6).toString('hex')}.tmp`)
  try {
    if (bytes === null) {
      if (!isUnchanged(read)) return false
      fs.unlinkSync(read.target)
      return true
    }
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(temporary, bytes, read.mode)
    keepOwner(read.target, temporary)
    if (!isUnchanged(read)) return false
    fs.renameSync(temporary, read.target)
    syncFolder(folder)
    return true
  } catch (cause) {
    throw unusable(cause, read.target, 'written')
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}

function isUnchanged({ file, target, bytes }: SettingsFile): boolean {
  const current = readSettingsFile(file)
  if (current.target !== target) return false
  return bytes === null || current.bytes === null ? bytes === current.bytes : bytes.equals(current.bytes)
}

/** Writes the exact bytes and syncs them, with the mode regardless of the umask. */
export function writeWhole(file: string, bytes: Uint8Array, mode: number): void {
  const handle = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(handle, bytes)
    fs.fchmodSync(handle, mode)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Run by root on a user's file, the file stays the user's. */
function keepOwner(target: string, temporary: string): void {
  const before = fs.statSync(target, { throwIfNoEntry: false })
  const made = fs.statSync(temporary)
  if (before !== undefined && (before.uid !== made.uid || before.gid !== made.gid)) fs.chownSync(temporary, before.uid, before.gid)
}

export function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code

const REASONS: Record<string, string> = lookup({
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
})

/** A file system error as a sentence. */
export function unusable(cause: unknown, file: string, verb: 'read' | 'written'): unknown {
  if (cause instanceof AppError) return cause
  const code = codeOf(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('disk_full', { message: `The disk is full: ${file} could not be ${verb} and is unchanged.`, cause })
  const reason = REASONS[code ?? '']
  if (reason === undefined) return cause
  return new AppError('client_settings_invalid', { message: `${file} cannot be ${verb}: ${reason}. It was left unchanged.`, cause })
}
