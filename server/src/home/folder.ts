import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Config, Paths } from '#server/config.ts'

/** Magic numbers of statfs(2), Linux: file systems on which SQLite's locks and WAL cannot be relied on. */
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

/** The kind of network file system that a statfs type stands for, null for a local one. */
export const networkKind = (type: number): string | null => NETWORK_TYPES.get(type >>> 0) ?? null

/**
 * Makes the data directory and its folders, 0700, and sets the modes of what is there already. Refused (home_refused)
 * where it is a file, on a network file system, or not writable.
 */
export function prepareHome(config: Pick<Config, 'home'>, paths: Paths, statfs: (dir: string) => { type: number } = fs.statfsSync): void {
  const { home } = config
  const refuse = (why: string, hint = 'Choose another folder with --home or BASHGYM_HOME.', cause?: unknown) =>
    new AppError('home_refused', { message: `${home} cannot be the data directory: ${why}.`, hint, cause })
  if (fs.existsSync(home) && !fs.statSync(home).isDirectory()) throw refuse('it is a file, not a folder')
  try {
    makeFolders(home)
  } catch (error) {
    throw refuse(`it cannot be made (${(error as Error).message})`, undefined, error)
  }
  const kind = process.platform === 'linux' ? networkKind(statfs(home).type) : null
  if (kind)
    throw refuse(
      `it lies on a network folder (${kind}), where the database's locks cannot be relied on`,
      'Choose a folder on a local disk with --home or BASHGYM_HOME.',
    )
  try {
    for (const dir of [home, paths.spool, paths.archive, paths.backups, paths.logs]) makePrivateDir(dir)
  } catch (error) {
    throw refuse(
      `it cannot be written (${(error as Error).message})`,
      'Give yourself the right to write there, or choose another folder.',
      error,
    )
  }
  for (const entry of fs.readdirSync(home, { withFileTypes: true }))
    if (entry.isFile() && entry.name !== 'hook') fs.chmodSync(path.join(home, entry.name), 0o600)
}

/** Level by level: the recursive form of mkdir never ends below /proc. */
function makeFolders(dir: string): void {
  if (fs.existsSync(dir)) return
  makeFolders(path.dirname(dir))
  fs.mkdirSync(dir, { mode: 0o700 })
}

function makePrivateDir(dir: string): void {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  fs.chmodSync(dir, 0o700)
}
