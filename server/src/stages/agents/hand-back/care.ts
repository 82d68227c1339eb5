import fs from 'node:fs'
import path from 'node:path'
import { RESTING_STATES, type Task } from '#contracts/entities/task.ts'
import type { UserRepositories } from '#server/adapters/git/user-repository.ts'
import type { History } from './history.ts'

/** Why a run must not be removed: it is active, its change was not handed back, or is only in a commit that no branch reaches. Null if it may be removed. */
export type StaysBecause = 'live' | 'dirty' | 'unpushed' | null

export async function whyItStays(
  { id, state, change, handedBack }: Task,
  history: Pick<History, 'applied'>,
  repositories: Pick<UserRepositories, 'isReachable'>,
  signal: AbortSignal,
): Promise<StaysBecause> {
  if (!(RESTING_STATES as readonly string[]).includes(state)) return 'live'
  if (change === null || change.files === 0) return null
  if (handedBack === null) return 'dirty'
  const completeHandBacks = history.applied(id).filter(({ journal }) => journal.isWhole)
  if (completeHandBacks.length === 0) return 'dirty'
  for (const { journal } of completeHandBacks) {
    if (journal.how === 'apply') return null
    const rootExists = fs.existsSync(journal.root)
    if (rootExists && journal.ref?.after && (await repositories.isReachable(journal.root, journal.ref.after, signal))) return null
  }
  return 'unpushed'
}

/** The disk space of a folder; null if it does not exist. */
export async function diskBytesOf(folder: string): Promise<number | null> {
  const countedInodes = new Set<number>()
  let bytes = 0
  const add = async (place: string): Promise<void> => {
    const stat = await fs.promises.lstat(place).catch(() => null) // it may be deleted during the count
    if (stat === null || countedInodes.has(stat.ino)) return
    countedInodes.add(stat.ino)
    bytes += (stat.blocks ?? 0) * 512
    if (!stat.isDirectory()) return
    for (const name of await fs.promises.readdir(place).catch(() => [])) await add(path.join(place, name))
  }
  await add(folder)
  return countedInodes.size === 0 ? null : bytes
}
