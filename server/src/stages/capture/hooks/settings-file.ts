/** Reads the settings file through symlinks, and replaces it atomically and only if nobody changed it since. */
import { lookup } from '#contracts/lookup.ts'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

export interface SettingsFile {
  /** The requested path. */
  file: string
  /** The path at the end of a chain of symlinks; the file may not exist yet. */
  target: string
  /** Null if there is no file. */
  bytes: Buffer | null
  mode: number
}

const MAX_LINKS = 40 // the kernel's own limit

function targetOf(file: string): string {
  let target = path.resolve(file)
  for (let links = 0; links < MAX_LINKS; links += 1) {
    let linkTarget: string
    try {
      linkTarget = fs.readlinkSync(target)
    } catch {
      return target // not a link, or missing
    }
    target = path.resolve(path.dirname(target), linkTarget)
  }
  throw new AppError('client_settings_invalid', { message: `${file} is a symlink loop, so nothing was written.` })
}

export function readSettingsFile(file: string): SettingsFile {
  const target = targetOf(file)
  try {
    const stats = fs.statSync(target)
    // Reading a pipe or a device could block forever; reading a folder fails below.
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new AppError('client_settings_invalid', { message: `${file} is not a regular file. It was left unchanged.` })
    }
    return { file, target, bytes: fs.readFileSync(target), mode: stats.mode & 0o7777 }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { file, target, bytes: null, mode: 0o600 }
    throw fileError(cause, file, 'read')
  }
}

/** Throws if nobody may write the file: a rename could replace it, but the user protected it. */
export function requireWritable(original: SettingsFile): void {
  if (original.bytes !== null && (original.mode & 0o222) === 0) {
    throw new AppError('client_settings_invalid', {
      message: `${original.target} is read-only, so it was left unchanged.`,
      hint: `Make it writable (chmod u+w) and try again.`,
    })
  }
}

/**
 * Writes `bytes` in place of the original (null: deletes the file). Returns false if the file changed in the meantime.
 * Readers see the old or the new bytes, never a part of them; a crash leaves at most a temporary file.
 */
export function replaceSettingsFile(original: SettingsFile, bytes: Uint8Array | null): boolean {
  const folder = path.dirname(original.target)
  const temporary = path.join(folder, `.settings-${randomBytes(6).toString('hex')}.tmp`)
  try {
    if (bytes === null) {
      if (!isUnchanged(original)) return false
      fs.unlinkSync(original.target)
      return true
    }
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeNewFile(temporary, bytes, original.mode)
    copyOwner(original.target, temporary)
    if (!isUnchanged(original)) return false
    fs.renameSync(temporary, original.target)
    syncFolder(folder)
    return true
  } catch (cause) {
    throw fileError(cause, original.target, 'written')
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}

function isUnchanged({ file, target, bytes }: SettingsFile): boolean {
  const current = readSettingsFile(file)
  if (current.target !== target) return false
  return bytes === null || current.bytes === null ? bytes === current.bytes : bytes.equals(current.bytes)
}

/** Creates a file and syncs it; its mode does not depend on the umask. */
export function writeNewFile(file: string, bytes: Uint8Array, mode: number): void {
  const handle = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(handle, bytes)
    fs.fchmodSync(handle, mode)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Keeps the user as the owner if root runs this on a user's file. */
function copyOwner(target: string, temporary: string): void {
  const original = fs.statSync(target, { throwIfNoEntry: false })
  const created = fs.statSync(temporary)
  if (original !== undefined && (original.uid !== created.uid || original.gid !== created.gid))
    fs.chownSync(temporary, original.uid, original.gid)
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

/** An error for the user, or the original error if it has no known reason. */
export function fileError(cause: unknown, file: string, verb: 'read' | 'written'): unknown {
  if (cause instanceof AppError) return cause
  const code = codeOf(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('disk_full', { message: `The disk is full: ${file} could not be ${verb} and is unchanged.`, cause })
  const reason = REASONS[code ?? '']
  if (reason === undefined) return cause
  return new AppError('client_settings_invalid', { message: `${file} cannot be ${verb}: ${reason}. It was left unchanged.`, cause })
}
