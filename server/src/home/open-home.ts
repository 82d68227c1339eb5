import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#contracts/errors.ts'
import type { Config, Paths } from '#server/config.ts'
import { pathsOf } from '#server/config.ts'
import { tryLock, type Lock } from '#server/db/lock.ts'
import { startFailure } from '#server/start-failure.ts'
import { prepareHome } from './folder.ts'
import { readHolder, readServerFile, removeHolder, removeServerFile, writeHolder, type Holder } from './holder.ts'
import { type FileToken, openToken } from './token.ts'

export interface Home {
  paths: Paths
  token: FileToken
  release(): void
}

/** How long one command waits for another, in ms (DESIGN §4). */
const WAIT_MS = 60_000
/** A holder that has not said yet what it is gets this long; also covers the moment in which a reader looks at the lock. */
const UNNAMED_MS = 2000
const POLL_MS = 100

/**
 * Prepares the data directory and takes its lock. Held by a command, it is waited for (60 s); held by a server, it is
 * refused at once with `home_locked`, naming the holder. What a dead owner left in server.json goes.
 */
export async function openHome(
  config: Pick<Config, 'home'>,
  kind: Holder['kind'],
  options: { waitMs?: number; onWait?: (holder: Holder) => void } = {},
): Promise<Home> {
  process.umask(0o077)
  const paths = pathsOf(config.home)
  prepareHome(config, paths)
  const lock = await waitForLock(config.home, paths, options)
  let token
  try {
    removeServerFile(paths)
    writeHolder(paths, { pid: process.pid, kind, since: new Date().toISOString() })
    token = openToken(paths.token)
  } catch (error) {
    lock.release()
    throw startFailure(error, paths)
  }
  return {
    paths,
    token,
    release() {
      removeServerFile(paths)
      removeHolder(paths)
      lock.release()
    },
  }
}

async function waitForLock(
  home: string,
  paths: Paths,
  { waitMs = WAIT_MS, onWait }: { waitMs?: number; onWait?: (holder: Holder) => void },
): Promise<Lock> {
  const started = performance.now() // monotonic: a clock that goes backwards changes no wait
  for (let told = false; ;) {
    const lock = takeLock(home, paths)
    if (lock) return lock
    const holder = readHolder(paths)
    const waited = performance.now() - started
    if (holder?.kind === 'command' && !told) {
      told = true
      onWait?.(holder)
    }
    const patience = holder?.kind === 'command' ? waitMs : Math.min(waitMs, UNNAMED_MS)
    if (waited >= patience) throw lockedBy(home, paths, holder, waited)
    await sleep(POLL_MS)
  }
}

function takeLock(home: string, paths: Paths): Lock | null {
  try {
    return tryLock(paths.lock)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') throw error
    throw new AppError('home_refused', {
      message: `${home} cannot be the data directory: its lock cannot be taken (${message}).`,
      hint: 'Give your user write access, or choose another folder.',
      cause: error,
    })
  }
}

function lockedBy(home: string, paths: Paths, holder: Holder | null, waitedMs: number): AppError {
  const url = readServerFile(paths)?.url
  const who = holder
    ? holder.kind === 'server'
      ? `the server with process id ${holder.pid}${url ? ` (${url})` : ''}, running since ${holder.since}`
      : `a command with process id ${holder.pid}, running since ${holder.since}`
    : 'another process'
  return new AppError('home_locked', {
    message: `${home} is in use by ${who}.${holder?.kind === 'command' ? ` Waited ${Math.round(waitedMs / 1000)} s for it.` : ''}`,
    hint: holder?.kind === 'server' ? 'Use that one (`bashgym open`), or stop it first.' : 'Try again when it has finished.',
    details: { holder },
  })
}
