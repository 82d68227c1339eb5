import fs from 'node:fs'
import path from 'node:path'

/** What an agent needs to continue its conversation: at its end (`resume`), and while it works (`resume.now`). */
const RESUME = 'resume'
const NOW = 'resume.now'

export const readResume = (folder: string): string | null => readOr(path.join(folder, RESUME))
export const writeResume = (folder: string, resume: string): void => replace(path.join(folder, RESUME), resume)
export const readNow = (folder: string): string | null => readOr(path.join(folder, NOW))
export const writeNow = (folder: string, resume: string): void => replace(path.join(folder, NOW), resume)
export const forgetNow = (folder: string): void => fs.rmSync(path.join(folder, NOW), { force: true })

function readOr(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** A killed server leaves the old content or the new one. */
function replace(file: string, content: string): void {
  fs.writeFileSync(`${file}.part`, content, { mode: 0o600 })
  fs.renameSync(`${file}.part`, file)
}
