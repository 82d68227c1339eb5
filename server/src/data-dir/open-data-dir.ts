import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#contracts/errors.ts'
import type { Config, Paths } from '#server/config.ts'
import { pathsOf } from '#server/config.ts'
import { tryLock, tryShare, type Lock } from '#server/db/lock.ts'
import { startFailure } from '#server/start-failure.ts'
import { prepareDataDir } from './folder.ts'
import { isAlive, readHolder, readServerFile, removeHolder, removeServerFile, writeHolder, type Holder } from './holder.ts'
import { type FileToken, openToken } from './token.ts'

export interface OpenDataDir {
  paths: Paths
  token: FileToken
  /** Other commands that only read have the data directory open: it was started by them, and must not be written to. */
  isJoined: boolean
  /** Lets other commands that only read open it too. */
  share(): void
  release(): void
}

/** Of `<data directory>/readers.db`: alone with the main lock, or together with others that only read. */
type Readers = { lock: Lock; isJoined: boolean }

/** How long one command waits for another. */
const WAIT_MS = 60_000
/** How long one holder that is no command may have the lock: it may not have written its name yet, or only be checking the lock. */
const NOT_COMMAND_WAIT_MS = 2000
const POLL_MS = 100

export interface WaitOptions {
  waitMs?: number
  onWait?: (holder: Holder) => void
  /** The command will only read, so it need not wait for others that do. */
  reads?: boolean | undefined
  /** Ends the wait; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/**
 * Prepares the data directory and takes its lock. Waits up to 60 s if a command has the lock, and a short time otherwise;
 * then throws `data_dir_locked`, which names the holder. Removes the server.json of a dead server.
 */
export async function openDataDir(config: Pick<Config, 'dataDir'>, kind: Holder['kind'], options: WaitOptions = {}): Promise<OpenDataDir> {
  process.umask(0o077)
  const paths = pathsOf(config.dataDir)
  prepareDataDir(config, paths)
  const started = performance.now()
  const lock = await waitForLock(config.dataDir, paths, options)
  let readers: Readers | null = null
  let isShared = false
  /** Until this is done nobody else opens the data directory, not even to read. */
  const releaseMain = () => {
    if (isShared) return
    isShared = true
    removeServerFile(paths)
    removeHolder(paths)
    lock.release()
  }
  try {
    removeServerFile(paths)
    writeHolder(paths, { pid: process.pid, kind, since: new Date().toISOString() })
    readers = await waitForReaders(config.dataDir, paths, options, started)
    const token = openToken(paths.token)
    const { isJoined } = readers
    if (isJoined) releaseMain()
    return {
      paths,
      token,
      isJoined,
      share() {
        if (isShared) return
        readers!.lock.release()
        readers = { lock: takeLock(config.dataDir, tryShare, readersFile(paths))!, isJoined } // nobody else can have it: the main lock is held
        releaseMain()
      },
      release() {
        releaseMain()
        readers!.lock.release()
      },
    }
  } catch (error) {
    readers?.lock.release()
    releaseMain()
    throw startFailure(error, paths)
  }
}

const readersFile = (paths: Paths): string => path.join(path.dirname(paths.lock), 'readers.db')

/** Waits until no command reads any more, or joins them. */
async function waitForReaders(
  dataDir: string,
  paths: Paths,
  { waitMs = WAIT_MS, reads, signal }: WaitOptions,
  started: number,
): Promise<Readers> {
  const file = readersFile(paths)
  for (;;) {
    signal?.throwIfAborted()
    const alone = takeLock(dataDir, tryLock, file)
    if (alone) return { lock: alone, isJoined: false }
    const shared = reads ? takeLock(dataDir, tryShare, file) : null
    if (shared) return { lock: shared, isJoined: true }
    const waited = performance.now() - started
    if (waited >= waitMs) throw lockedBy(dataDir, paths, null, waited)
    await sleep(POLL_MS, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
  }
}

async function waitForLock(dataDir: string, paths: Paths, { waitMs = WAIT_MS, onWait, signal }: WaitOptions): Promise<Lock> {
  const started = performance.now() // monotonic, so that setting the clock has no effect
  let commandSeenAt = started
  for (let notified = false; ;) {
    signal?.throwIfAborted()
    const lock = takeLock(dataDir, tryLock, paths.lock)
    if (lock) return lock
    const holder = holderNow(paths)
    const now = performance.now()
    if (holder?.kind === 'command') {
      commandSeenAt = now
      if (!notified) onWait?.(holder)
      notified = true
    }
    // Between two commands the lock has no name for a moment: only the time without one counts.
    if (now - started >= waitMs || now - commandSeenAt >= NOT_COMMAND_WAIT_MS) throw lockedBy(dataDir, paths, holder, now - started)
    await sleep(POLL_MS, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
  }
}

/** Null if the name is that of a process that ended without removing it. */
function holderNow(paths: Paths): Holder | null {
  const holder = readHolder(paths)
  return holder && isAlive(holder.pid) ? holder : null
}

function takeLock(dataDir: string, take: (file: string) => Lock | null, file: string): Lock | null {
  try {
    return take(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'SQLITE_FULL') throw error
    throw new AppError('data_dir_refused', {
      message: `${dataDir} cannot be the data directory: its lock cannot be taken (${message}).`,
      hint: 'Give your user write access, or choose another folder.',
      cause: error,
    })
  }
}

function lockedBy(dataDir: string, paths: Paths, holder: Holder | null, waitedMs: number): AppError {
  const url = readServerFile(paths)?.url
  const who = holder
    ? holder.kind === 'server'
      ? `the server with process id ${holder.pid}${url ? ` (${url})` : ''}, running since ${holder.since}`
      : `a command with process id ${holder.pid}, running since ${holder.since}`
    : 'another process'
  return new AppError('data_dir_locked', {
    message: `${dataDir} is in use by ${who}.${holder?.kind === 'command' ? ` Waited ${Math.round(waitedMs / 1000)} s for it.` : ''}`,
    hint: holder?.kind === 'server' ? 'Use that server (`bashgym open`), or stop it first.' : 'Try again when it has finished.',
    details: { holder },
  })
}
