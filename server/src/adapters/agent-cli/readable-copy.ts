import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { AgentProgram } from './program.ts'

/** Owned by root, readable for every user. */
const COPIES_FOLDER = '/var/cache/bashgym'

/**
 * Makes a program readable for every user: if the server runs as root, its sandboxes run as another user, who cannot read
 * root's home folder. Creates a hard link or a copy, once per version. Null if the program has more than one file.
 */
export function readableCopy({ argv }: AgentProgram): AgentProgram | null {
  const [file] = argv
  if (argv.length !== 1 || file === undefined) return null
  const name = path.basename(file)
  const { size, mtimeMs } = fs.statSync(file)
  const folder = path.join(COPIES_FOLDER, `${name}-${hash('sha256', `${file}\0${size}\0${mtimeMs}`).slice(0, 16)}`)
  const copy = path.join(folder, name)
  if (!fs.existsSync(copy)) {
    fs.mkdirSync(folder, { recursive: true })
    for (const place of [COPIES_FOLDER, folder]) fs.chmodSync(place, 0o755) // the umask may have removed bits
    const temporary = path.join(folder, `${name}.${process.pid}`)
    fs.rmSync(temporary, { force: true })
    try {
      fs.linkSync(file, temporary)
    } catch {
      fs.copyFileSync(file, temporary) // on another disk
    }
    fs.renameSync(temporary, copy)
  }
  return { argv: [copy], folders: [folder] }
}
