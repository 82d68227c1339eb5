import fs from 'node:fs'
import path from 'node:path'

const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.14', 'python3.11', 'python']
/** A program started from a desktop often has a short PATH. */
const KNOWN = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']

/** Interpreters on this PATH, in its order, `python3` before named versions; each file once. */
export function pythonsOn(searched: string, known: readonly string[] = KNOWN): string[] {
  const folders = [...new Set([...searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder)), ...known])]
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable)
  const seen = new Set<string>()
  return files.filter((file) => {
    // a virtual environment's interpreter is a link whose own place matters: only links beside their target are the same
    const real = fs.realpathSync(file)
    const key = fs.existsSync(path.join(path.dirname(path.dirname(file)), 'pyvenv.cfg')) ? path.dirname(file) : real
    if (seen.has(key)) return false
    seen.add(key)
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
