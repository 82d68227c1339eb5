import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Tx } from './db/tx.ts'

/** Free space that stopped work needs to continue. A file of this size reserves space for the files of a start. */
const RESERVE_BYTES = 4 << 20
const PIECE_BYTES = 65_536
const MIN_WAIT_MS = 2000
const MAX_WAIT_MS = 60_000

/** Whether an error means that the disk or a quota is full. Errors from threads have the code in their cause. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|SHMSIZE|SHMOPEN)|ENOSPC|EDQUOT|disk_full)$/.test(code)) return true
  return cause !== undefined && cause !== error && isDiskFull(cause)
}

const reserveIn = (dataDir: string) => path.join(dataDir, 'reserve')

/** Deletes the reserve if a start failed because the disk is full. False if there is no reserve or another reason. */
export function releaseReserve(dataDir: string, error: unknown): boolean {
  if (!isDiskFull(error) || !fs.existsSync(reserveIn(dataDir))) return false
  fs.rmSync(reserveIn(dataDir), { force: true })
  return true
}

/** Recreates the reserve for the next start, as much as fits. */
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

/** Reports transactions that fail because the disk is full. */
export function withDiskNotes(tx: Tx, disk: Pick<Disk, 'reportIfFull'>): Tx {
  return (work) => {
    try {
      return tx(work)
    } catch (error) {
      disk.reportIfFull(error)
      throw error
    }
  }
}

export interface Disk {
  /** Reports a failed write. Returns true if the disk is full; `onChange` listeners are then called, and again when there is space. */
  reportIfFull(error: unknown): boolean
  isFull(): boolean
  /** Runs `work` now, or when there is space if the disk is full. Throws other errors. */
  whenThereIsSpace(work: () => void): void
  onChange(listener: (isFull: boolean) => void): () => void
  close(): void
}

/** Tracks whether the disk is full: from a write that fails until there is space for the reserve. */
export function createDisk(dataDir: string, onError: (error: unknown) => void, minWaitMs = MIN_WAIT_MS): Disk {
  const listeners = new Set<(isFull: boolean) => void>()
  let waiting: (() => void)[] = []
  let isFull = false
  let isClosed = false
  let wait = minWaitMs
  let hadSpaceAt = -Infinity
  let timer: NodeJS.Timeout | null = null

  const notifyListeners = () => {
    for (const listener of listeners) {
      try {
        listener(isFull)
      } catch (error) {
        if (!reportIfFull(error)) onError(error)
      }
    }
  }
  const check = async () => {
    timer = null
    if (isClosed) return
    if (!(await createReserve(dataDir))) return checkLater()
    if (isClosed) return
    isFull = false
    hadSpaceAt = performance.now()
    for (const work of waiting.splice(0)) whenThereIsSpace(work)
    notifyListeners()
  }
  const checkLater = () => {
    if (isClosed || timer) return
    timer = setTimeout(() => void check(), wait).unref()
    wait = Math.min(wait * 2, MAX_WAIT_MS)
  }
  const reportIfFull = (error: unknown): boolean => {
    if (!isDiskFull(error)) return false
    if (isFull) return true
    isFull = true
    if (performance.now() - hadSpaceAt > MAX_WAIT_MS) wait = minWaitMs // otherwise the free space was not enough
    checkLater()
    notifyListeners()
    return true
  }
  const whenThereIsSpace = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!reportIfFull(error)) throw error
      waiting.push(work)
    }
  }

  if (!fs.existsSync(reserveIn(dataDir))) void createReserve(dataDir)
  return {
    reportIfFull,
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

/** Creates the reserve; false if there is not enough space. */
async function createReserve(dataDir: string): Promise<boolean> {
  const file = reserveIn(dataDir)
  const probe = `${file}.new`
  try {
    const { bavail, bsize } = await fs.promises.statfs(dataDir)
    if (bavail * bsize < 2 * RESERVE_BYTES) return false // the check itself must not fill the disk
    await fs.promises.writeFile(probe, await promisify(randomBytes)(RESERVE_BYTES), { mode: 0o600, flush: true })
    await fs.promises.rename(probe, file)
    return true
  } catch {
    await fs.promises.rm(probe, { force: true }).catch(() => undefined) // the next check overwrites the file
    return false
  }
}
