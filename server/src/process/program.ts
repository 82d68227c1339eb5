/** What a process may be started with: a program and a folder that no repository chose. */
import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '../within.ts'

/** Folders whose files only we write. A process runs in one of them or in "/". */
const ownFolders = new Set<string>()

/** Lets processes run in a folder of ours: the data directory. */
export function allowRunningIn(folder: string): void {
  ownFolders.add(path.resolve(folder))
}

/**
 * Programs read settings from the folder they run in (.npmrc, rust-toolchain.toml, go.mod, .python-version), and some are
 * looked up from it. Throws unless the folder is "/" or one of ours.
 */
export function requireOwnFolder(cwd: string): void {
  const folder = path.resolve(cwd)
  if (folder === path.parse(folder).root || [...ownFolders].some((own) => isWithin(own, folder))) return
  throw new Error(
    `Bash Gym does not run programs in ${cwd}: a file in it could choose what runs. Programs run in "/" or in a folder of Bash Gym, or in a sandbox.`,
  )
}

/**
 * The absolute path of a program: a name is searched in the absolute folders of `searched`. `foreign`: projects whose programs
 * must not run here, whatever leads to them. Throws the system's error if there is none.
 */
export function programOf(command: string, searched: string, foreign: readonly string[] = []): string {
  const isForeign = (file: string) =>
    foreign.some((folder) => isWithin(realOf(folder), realOf(file)) || isWithin(path.resolve(folder), file))
  if (path.isAbsolute(command)) {
    if (!isForeign(command)) return command
    throw new Error(`${command} belongs to a project, so it is not run outside a sandbox.`)
  }
  if (path.basename(command) !== command)
    throw new Error(`${command} is neither an absolute path nor the name of a program: what it leads to depends on a folder.`)
  const folders = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const found = folders.map((folder) => path.join(folder, command)).find((file) => isProgram(file) && !isForeign(file))
  if (found !== undefined) return found
  throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT', path: command })
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

function realOf(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return place
  }
}
