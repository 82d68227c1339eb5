/** Whole trees that a program made, of any depth and with any permissions. Links are not followed. */
import fs from 'node:fs'
import { howEnded, runToEnd } from '#server/process/run-to-end.ts'
import type { Means } from './launch.ts'

const DEADLINE_MS = 10 * 60_000

/** Throws if part of them is left. */
export async function deleteTrees(means: Means, folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) await fs.promises.rm(folder, { recursive: true, force: true })
    return
  } catch {} // too deep, or closed to us: the program below needs longer, and nothing stops it
  const done = await over(means, ['rm', '-rf', '--', ...folders])
  if (done.code !== 0)
    throw new Error(`Files of a machine could not be deleted (${folders.join(', ')}): ${done.stderr.trim() || howEnded(done)}.`)
}

/** Copies folders into another one, with owners, permissions and links; where the disk can, without taking space. */
export async function copyTrees(means: Means, folders: readonly string[], to: string): Promise<void> {
  const done = await over(means, ['cp', '--archive', '--reflink=auto', '--one-file-system', '--', ...folders, to])
  if (done.code === 0) return
  const full = /No space left on device|Disk quota exceeded/.test(done.stderr)
  throw Object.assign(new Error(`Files of a machine could not be copied: ${done.stderr.trim().slice(0, 500) || howEnded(done)}.`), {
    ...(full && { code: 'ENOSPC' }),
  })
}

/** Bytes on disk of each tree, in the order asked; null if it is not there or could not be read. */
export async function treeBytes(means: Means, folders: readonly string[]): Promise<(number | null)[]> {
  const { stdout } = await over(means, ['du', '--summarize', '--block-size=1', '--one-file-system', '--', ...folders])
  const bytes = new Map(stdout.split('\n').map((line) => [line.slice(line.indexOf('\t') + 1), Number.parseInt(line, 10)]))
  return folders.map((folder) => bytes.get(folder) ?? null)
}

/** Runs a program that no permission bit of our own files stops: as root, or as root of a user namespace of ours. */
function over({ bwrap }: Means, argv: readonly string[]) {
  const [command, ...args] =
    process.getuid?.() === 0
      ? argv
      : [bwrap, '--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--dev-bind', '/', '/', '--', ...argv]
  return runToEnd({ command: command!, args, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, deadlineMs: DEADLINE_MS, graceMs: 0 })
}
