import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Tx } from './db/tx.ts'

/** Free space that stopped work needs to continue; also reserved, so that a start has space for its own files. */
const RESERVE_BYTES = 4 << 20
const PIECE_BYTES = 65_536
const FIRST_LOOK_MS = 2000
const LONGEST_LOOK_MS = 60_000

/** Whether something could not be stored because the disk, or a quota on it, is full. Errors of threads carry the code in their cause. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|SHMSIZE|SHMOPEN)|ENOSPC|EDQUOT|disk_full)$/.test(code)) return true
  return cause !== undefined && cause !== error && isDiskFull(cause)
}

const reserveIn = (dataDir: string) => path.join(dataDir, 'reserve')

/** Gives the reserve up for a start that failed on a full disk; false when there is none, or another reason. */
export function releaseReserve(dataDir: string, error: unknown): boolean {
  if (!isDiskFull(error) || !fs.existsSync(reserveIn(dataDir))) return false
  fs.rmSync(reserveIn(dataDir), { force: true })
  return true
}

/** At the end of a process that needed the reserve: as much of it as fits, for the next start. */
export function keepReserve(dataDir: string): void {
  if (fs.existsSync(reserveIn(dataDir))) return
  let file
  try {
    file = fs.openSync(reserveIn(dataDir), 'wx', 0o600)
    for (let written = 0; written < RESERVE_BYTES; written += PIECE_BYTES) fs.writeSync(file, randomBytes(PIECE_BYTES))
  } catch (error) {
    if (!isDiskFull(error)) throw error
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

/** Every transaction that fails for lack of space sets the state. */
export function noting(tx: Tx, disk: Pick<Disk, 'note'>): Tx {
  return (work) => {
    try {
      return tx(work)
    } catch (error) {
      disk.note(error)
      throw error
    }
  }
}

export interface Disk {
  /** A write failed: true when for lack of space; then `onSpace` listeners hear when there is some again. */
  note(error: unknown): boolean
  isFull(): boolean
  /** Runs `work` now, or, while the disk is full, as soon as there is space. Other errors are thrown. */
  whenThereIsSpace(work: () => void): void
  onChange(listener: (isFull: boolean) => void): () => void
  close(): void
}

/** A full disk as a state: it begins with a write that fails, and ends when the reserve fits beside what is there. */
export function createDisk(dataDir: string, onError: (error: unknown) => void, firstLookMs = FIRST_LOOK_MS): Disk {
  const listeners = new Set<(isFull: boolean) => void>()
  let waiting: (() => void)[] = []
  let isFull = false
  let isClosed = false
  let wait = firstLookMs
  let calmSince = -Infinity
  let timer: NodeJS.Timeout | null = null

  const notifyListeners = () => {
    for (const listener of listeners) {
      try {
        listener(isFull)
      } catch (error) {
        if (!note(error)) onError(error)
      }
    }
  }
  const look = async () => {
    timer = null
    if (isClosed) return
    if (!(await fits(dataDir))) return lookLater()
    if (isClosed) return
    isFull = false
    calmSince = performance.now()
    for (const work of waiting.splice(0)) whenThereIsSpace(work)
    notifyListeners()
  }
  const lookLater = () => {
    if (isClosed || timer) return
    timer = setTimeout(() => void look(), wait).unref()
    wait = Math.min(wait * 2, LONGEST_LOOK_MS)
  }
  const note = (error: unknown): boolean => {
    if (!isDiskFull(error)) return false
    if (isFull) return true
    isFull = true
    if (performance.now() - calmSince > LONGEST_LOOK_MS) wait = firstLookMs // else space came and was not enough
    lookLater()
    notifyListeners()
    return true
  }
  const whenThereIsSpace = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!note(error)) throw error
      waiting.push(work)
    }
  }

  if (!fs.existsSync(reserveIn(dataDir))) void fits(dataDir)
  return {
    note,
    isFull: () => isFull,
    whenThereIsSpace,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      isClosed = true
      waiting = []
      if (timer) clearTimeout(timer)
    },
  }
}

/** Whether the reserve fits; it is there afterwards. */
async function fits(dataDir: string): Promise<boolean> {
  const file = reserveIn(dataDir)
  const probe = `${file}.new`
  try {
    const { bavail, bsize } = await fs.promises.statfs(dataDir)
    if (bavail * bsize < 2 * RESERVE_BYTES) return false // the look itself must not fill the disk
    await fs.promises.writeFile(probe, await promisify(randomBytes)(RESERVE_BYTES), { mode: 0o600, flush: true })
    await fs.promises.rename(probe, file)
    return true
  } catch {
    await fs.promises.rm(probe, { force: true }).catch(() => undefined) // what is left of it is written over by the next look
    return false
  }
}
