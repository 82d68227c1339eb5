import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { COPIES_FOLDER, ORIGINAL } from '../tools/readable-tree.ts'
import type { AgentProgram } from './program.ts'

/**
 * Makes a program readable for every user: if the server runs as root, its sandboxes run as another user, who cannot read
 * root's home folder. Creates a hard link or a copy, once per version. Null if the program has more than one file.
 */
export function readableCopy({ argv }: AgentProgram, copiesFolder = COPIES_FOLDER): AgentProgram | null {
  const [file] = argv
  if (argv.length !== 1 || file === undefined) return null
  const name = path.basename(file)
  const { size, mtimeMs } = fs.statSync(file)
  const folder = path.join(copiesFolder, `${name}-${hash('sha256', `${file}\0${size}\0${mtimeMs}`).slice(0, 16)}`)
  const copy = path.join(folder, name)
  if (!fs.existsSync(copy)) {
    fs.mkdirSync(folder, { recursive: true })
    for (const place of [copiesFolder, folder]) fs.chmodSync(place, 0o755) // the umask may have removed bits
    const temporary = path.join(folder, `${name}.${process.pid}`)
    fs.rmSync(temporary, { force: true })
    try {
      fs.linkSync(file, temporary)
    } catch {
      fs.copyFileSync(file, temporary) // on another disk
    }
    fs.renameSync(temporary, copy)
  }
  linkTo(file, path.join(folder, ORIGINAL))
  return { argv: [copy], folders: [folder] }
}

/** Removes the copies of programs that no longer exist. A copy that does not say where its program was is kept. */
export function removeOldCopies(copiesFolder = COPIES_FOLDER): void {
  if (!fs.existsSync(copiesFolder)) return
  for (const name of fs.readdirSync(copiesFolder)) {
    const original = path.join(copiesFolder, name, ORIGINAL)
    const isLink = fs.lstatSync(original, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    if (isLink && !fs.existsSync(original)) fs.rmSync(path.join(copiesFolder, name), { recursive: true, force: true })
  }
}

function linkTo(file: string, link: string): void {
  try {
    fs.symlinkSync(file, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // the link of an earlier call
  }
}
