import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { runToEnd } from '#server/process/run-to-end.ts'

/** Owned by root, readable for every user. */
export const COPIES_FOLDER = '/var/cache/bashgym'
/** A link beside each copy to what was copied. */
export const ORIGINAL = '.original'

/** A copy of hard links takes seconds even for large installations; one on another disk takes longer. */
const DEADLINE_MS = 300_000
/** No run that uses an older copy of the same folder lasts longer. */
const KEPT_MS = 24 * 3600 * 1000

/**
 * A folder with the same files as this one, which every user can enter: the folders of programs may be in a home folder of mode
 * 0700. Made of hard links where it can be, once for each state of the folder. Null if it cannot be made.
 */
export async function readableTree(folder: string, copiesFolder = COPIES_FOLDER): Promise<string | null> {
  const state = await run('find', ['-H', folder, '-xdev', '-type', 'd', '-printf', String.raw`%P %T@\n`])
  if (state === null) return null
  const place = path.join(copiesFolder, `${path.basename(folder)}-${hash('sha256', `${folder}\0${state}`).slice(0, 16)}`)
  const tree = path.join(place, 'tree')
  if (fs.existsSync(tree)) return tree
  fs.mkdirSync(copiesFolder, { recursive: true })
  fs.chmodSync(copiesFolder, 0o755) // the umask may have removed bits
  const temporary = fs.mkdtempSync(`${place}.`)
  const made = path.join(temporary, 'tree')
  const source = fs.realpathSync(folder)
  if ((await run('cp', ['-al', '-T', source, made])) === null) {
    fs.rmSync(made, { recursive: true, force: true }) // on another disk
    if ((await run('cp', ['-a', '-T', source, made])) === null) {
      fs.rmSync(temporary, { recursive: true, force: true })
      return null
    }
  }
  fs.symlinkSync(folder, path.join(temporary, ORIGINAL))
  for (const one of [temporary, made]) fs.chmodSync(one, 0o755)
  try {
    fs.renameSync(temporary, place)
  } catch {
    fs.rmSync(temporary, { recursive: true, force: true }) // another run was faster
  }
  removeOlder(folder, place, copiesFolder)
  return fs.existsSync(tree) ? tree : null
}

function removeOlder(folder: string, current: string, copiesFolder: string): void {
  for (const name of fs.readdirSync(copiesFolder)) {
    const place = path.join(copiesFolder, name)
    const original = path.join(place, ORIGINAL)
    if (place === current || !fs.existsSync(path.join(place, 'tree'))) continue
    const isOfFolder = fs.lstatSync(original, { throwIfNoEntry: false })?.isSymbolicLink() === true && fs.readlinkSync(original) === folder
    if (isOfFolder && Date.now() - fs.statSync(place).ctimeMs > KEPT_MS) fs.rmSync(place, { recursive: true, force: true })
  }
}

/** What a program of the system prints; null if it fails. */
async function run(program: 'find' | 'cp', args: string[]): Promise<string | null> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  const command = ['/usr/bin', '/bin'].map((folder) => path.join(folder, program)).find((place) => fs.existsSync(place))
  if (command === undefined) return null
  const { code, stdout, stderr } = await runToEnd({ command, args, cwd: '/', env, deadlineMs: DEADLINE_MS, graceMs: 0 }).catch(() => ({ code: 1, stdout: '', stderr: '' })) // prettier-ignore
  return code === 0 && (program === 'cp' || stderr === '') ? hash('sha256', stdout) : null
}
