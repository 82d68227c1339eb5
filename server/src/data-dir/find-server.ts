import { pathsOf } from '#server/config.ts'
import { isLocked } from '#server/db/lock.ts'
import { isAlive, readHolder, readServerFile, type Holder } from './holder.ts'
import { readToken } from './token.ts'

export type ServerState =
  | { state: 'running'; url: string; token: string; pid: number }
  | { state: 'locked'; holder: Holder | null }
  | { state: 'free' }

/**
 * Finds the server of a data directory. The token is returned only if the process in server.json has the lock, so that
 * another program on the port of a dead server never gets it.
 */
export function findServer(dataDir: string): ServerState {
  const paths = pathsOf(dataDir)
  if (!mayBeLocked(paths.lock)) return { state: 'free' }
  const holder = readHolder(paths)
  const server = readServerFile(paths)
  const token = readToken(paths.token)
  const isRunning = holder?.kind === 'server' && server?.pid === holder.pid && isAlive(holder.pid)
  return isRunning && token ? { state: 'running', url: server.url, token, pid: server.pid } : { state: 'locked', holder }
}

/** False if the lock cannot be checked (another user's folder, a read-only one); opening the folder then reports the reason. */
function mayBeLocked(lock: string): boolean {
  try {
    return isLocked(lock)
  } catch {
    return false
  }
}
