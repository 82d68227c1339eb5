/** Deletes, copies and measures folders of any depth and with any permissions. Follows no links. */
import { type Finished, howEnded, runToEnd } from '#server/process/run-to-end.ts'
import { SpawnerEnded } from '#server/process/spawner.ts'
import { NotRun } from '../sandbox/types.ts'
import type { BubblewrapTools } from './launch.ts'

const DEADLINE_MS = 10 * 60_000

/** Throws if something could not be deleted. Node's own `rm` fails for folders deep in each other, and keeps this process busy. */
export async function deleteTrees(tools: BubblewrapTools, folders: readonly string[]): Promise<void> {
  const result = await runAsRoot(tools, ['rm', '-rf', '--', ...folders])
  if (result.code !== 0)
    throw new Error(`Couldn't delete files of a machine (${folders.join(', ')}): ${result.stderr.trim() || howEnded(result)}.`)
}

/** Copies folders into another folder, with owners, permissions and links; uses no extra space if the file system supports it. */
export async function copyTrees(tools: BubblewrapTools, folders: readonly string[], to: string): Promise<void> {
  const result = await runAsRoot(tools, ['cp', '--archive', '--reflink=auto', '--one-file-system', '--', ...folders, to])
  if (result.code === 0) return
  if (/File name too long/.test(result.stderr))
    throw new NotRun(
      'invalid_request',
      'The files of the machine cannot be copied: a path is longer than 4,096 bytes. Remove such folders.',
    )
  const isDiskFull = /No space left on device|Disk quota exceeded/.test(result.stderr)
  throw Object.assign(new Error(`Couldn't copy files of a machine: ${result.stderr.trim().slice(0, 500) || howEnded(result)}.`), {
    ...(isDiskFull && { code: 'ENOSPC' }),
  })
}

/** Bytes on disk of each folder, in the same order; null if it does not exist or could not be read. */
export async function treeBytes(tools: BubblewrapTools, folders: readonly string[]): Promise<(number | null)[]> {
  const { stdout } = await runAsRoot(tools, ['du', '--summarize', '--block-size=1', '--one-file-system', '--', ...folders])
  const bytes = new Map(stdout.split('\n').map((line) => [line.slice(line.indexOf('\t') + 1), Number.parseInt(line, 10)]))
  return folders.map((folder) => bytes.get(folder) ?? null)
}

const TRIES = 3

/**
 * Runs a program that may access all our files whatever their permissions: as root, or as root of a new user namespace. Each of
 * these may run again, so it does if somebody else killed it or the spawner.
 */
async function runAsRoot({ bwrap }: Pick<BubblewrapTools, 'bwrap'>, argv: readonly string[], tries = TRIES): Promise<Finished> {
  const [command, ...args] =
    process.getuid?.() === 0
      ? argv
      : [bwrap, '--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--dev-bind', '/', '/', '--', ...argv]
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  const result = await runToEnd({ command: command!, args, cwd: '/', env, deadlineMs: DEADLINE_MS, graceMs: 0, often: true }).catch(
    (error: unknown) => {
      if (error instanceof SpawnerEnded && tries > 1) return null
      throw error
    },
  )
  if (result !== null && (tries === 1 || result.signal !== 'SIGKILL' || result.endedBy !== null)) return result
  return runAsRoot({ bwrap }, argv, tries - 1)
}
