import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Config, Paths } from '#server/config.ts'

/** Types of statfs(2) on Linux: file systems on which SQLite's locks and WAL are unreliable. */
const NETWORK_TYPES = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB2'],
  [0x5346_414f, 'AFS'],
  [0x6b41_4653, 'AFS'],
  [0x0102_1997, '9P'],
  [0x7375_7245, 'Coda'],
  [0x00c3_6400, 'Ceph'],
  [0x564c, 'NCP'],
  [0x0bd0_0bd0, 'Lustre'],
])

/** The name of a network file system by its statfs type; null for a local one. */
export const networkKind = (type: number): string | null => NETWORK_TYPES.get(type >>> 0) ?? null

/** Files of the system that may be in an otherwise empty folder. */
const SYSTEM_FILES = new Set(['lost+found', '.DS_Store'])

/**
 * Creates the data directory and its folders with mode 0700, and corrects the modes of existing files. Throws
 * `data_dir_refused` for a file, a network file system, a folder that is not writable, or one with other files, whose
 * modes must not be changed.
 */
export function prepareDataDir(
  config: Pick<Config, 'dataDir'>,
  paths: Paths,
  statfs: (dir: string) => { type: number } = fs.statfsSync,
): void {
  const { dataDir } = config
  const refuse = (reason: string, hint = 'Choose another folder with --home or BASHGYM_HOME.', cause?: unknown) =>
    new AppError('data_dir_refused', { message: `${dataDir} cannot be the data directory: ${reason}.`, hint, cause })
  if (fs.existsSync(dataDir) && !fs.statSync(dataDir).isDirectory()) throw refuse('it is a file, not a folder')
  try {
    makeFolders(dataDir)
  } catch (error) {
    throw refuse(`it cannot be created (${(error as Error).message})`, undefined, error)
  }
  const present = namesIn(dataDir).filter((name) => !SYSTEM_FILES.has(name))
  const ours = new Set([paths.database, paths.lock, paths.archive, paths.spool, paths.hook].map((file) => path.basename(file)))
  if (present.length > 0 && !present.some((name) => ours.has(name)))
    throw refuse(
      `it contains other files (${present.slice(0, 3).join(', ')}${present.length > 3 ? ' …' : ''})`,
      'Choose an empty or new folder with --home or BASHGYM_HOME.',
    )
  const kind = process.platform === 'linux' ? networkKind(statfs(dataDir).type) : null
  if (kind)
    throw refuse(
      `it is on a network file system (${kind}), where database locks are unreliable`,
      'Choose a folder on a local disk with --home or BASHGYM_HOME.',
    )
  try {
    for (const dir of [dataDir, paths.spool, paths.archive, paths.backups, paths.logs]) makePrivateDir(dir)
  } catch (error) {
    throw refuse(`it is not writable (${(error as Error).message})`, 'Give your user write access, or choose another folder.', error)
  }
  for (const entry of fs.readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile() && entry.name !== 'hook') makePrivateFile(path.join(dataDir, entry.name))
}

/** Ignores a missing file, because a process that is ending may delete the side files of its databases. */
function makePrivateFile(file: string): void {
  try {
    fs.chmodSync(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Empty if the folder cannot be read; writing then fails with the reason. */
function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir)
  } catch {
    return []
  }
}

/** Creates one level at a time, because recursive mkdir never returns below /proc. */
function makeFolders(dir: string): void {
  if (fs.existsSync(dir)) return
  makeFolders(path.dirname(dir))
  try {
    fs.mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process may create it at the same time
  }
}

function makePrivateDir(dir: string): void {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  fs.chmodSync(dir, 0o700)
}
