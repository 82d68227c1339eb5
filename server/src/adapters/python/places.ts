import fs from 'node:fs'
import path from 'node:path'

const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.14', 'python3.11', 'python']
/** Searched in addition to PATH, because a program started from a desktop often has a short PATH. */
const COMMON_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']

/** Interpreters on this PATH: `python3` before specific versions, each in the order of PATH, each file once. */
export function pythonsOn(searched: string, known: readonly string[] = COMMON_FOLDERS): string[] {
  const folders = [...new Set([...searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder)), ...known])]
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable)
  const keys = new Set<string>()
  return files.filter((file) => {
    // In a virtual environment the interpreter is a link whose folder matters, so it is not the same as the link's target.
    const real = fs.realpathSync(file)
    const key = fs.existsSync(path.join(path.dirname(path.dirname(file)), 'pyvenv.cfg')) ? path.dirname(file) : real
    if (keys.has(key)) return false
    keys.add(key)
    return true
  })
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
