import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { AgentProgram } from './program.ts'

/** Of root, readable for every user. */
const PLACE = '/var/cache/bashgym'

/**
 * The program at a place that every user may read: a sandbox of a server that runs as root is another user, and root's home is
 * closed to it. A hard link where that can be had, else a copy, once for each version. Null: it consists of more than one file.
 */
export function readableCopy({ argv }: AgentProgram): AgentProgram | null {
  const [file] = argv
  if (argv.length !== 1 || file === undefined) return null
  const name = path.basename(file)
  const { size, mtimeMs } = fs.statSync(file)
  const folder = path.join(PLACE, `${name}-${hash('sha256', `${file}\0${size}\0${mtimeMs}`).slice(0, 16)}`)
  const copy = path.join(folder, name)
  if (!fs.existsSync(copy)) {
    fs.mkdirSync(folder, { recursive: true })
    for (const place of [PLACE, folder]) fs.chmodSync(place, 0o755) // whatever the umask
    const whole = path.join(folder, `${name}.${process.pid}`)
    fs.rmSync(whole, { force: true })
    try {
      fs.linkSync(file, whole)
    } catch {
      fs.copyFileSync(file, whole) // on another disk
    }
    fs.renameSync(whole, copy)
  }
  return { argv: [copy], folders: [folder] }
}
