import fs from 'node:fs'
import path from 'node:path'
import { sync as writeFileAtomicSync } from 'write-file-atomic'

/** What an agent needs to continue its conversation: at its end (`resume`), and while it works (`resume.now`). */
const RESUME = 'resume'
const NOW = 'resume.now'

export const readResume = (folder: string): string | null => readOr(path.join(folder, RESUME))
export const writeResume = (folder: string, resume: string): void => writeFileAtomicSync(path.join(folder, RESUME), resume, { mode: 0o600 })
export const readNow = (folder: string): string | null => readOr(path.join(folder, NOW))
/** Before each request of an agent, so it does not wait for the disk. */
export const writeNow = (folder: string, resume: string): void =>
  writeFileAtomicSync(path.join(folder, NOW), resume, { mode: 0o600, fsync: false })
export const forgetNow = (folder: string): void => fs.rmSync(path.join(folder, NOW), { force: true })

function readOr(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
