import { pathsOf } from '#server/config.ts'
import { isLocked } from '#server/db/lock.ts'
import { isAlive, readHolder, readServerFile, type Holder } from './holder.ts'
import { readToken } from './token.ts'

export type Found =
  | { state: 'running'; url: string; token: string; pid: number }
  | { state: 'locked'; holder: Holder | null }
  | { state: 'free' }

/**
 * The server of a data directory. The token is returned only when the lock is taken, and taken by the same process
 * that server.json names: a foreign program on the port of a server that died never gets it.
 */
export function findServer(dataDir: string): Found {
  const paths = pathsOf(dataDir)
  if (!mayBeLocked(paths.lock)) return { state: 'free' }
  const holder = readHolder(paths)
  const server = readServerFile(paths)
  const token = readToken(paths.token)
  const isIts = holder?.kind === 'server' && server?.pid === holder.pid && isAlive(holder.pid)
  return isIts && token ? { state: 'running', url: server.url, token, pid: server.pid } : { state: 'locked', holder }
}

/** A lock that cannot be looked at (another user's folder, a read-only one) is reported by the code that opens the folder. */
function mayBeLocked(lock: string): boolean {
  try {
    return isLocked(lock)
  } catch {
    return false
  }
}
