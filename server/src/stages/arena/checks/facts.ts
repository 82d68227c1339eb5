import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'

/** What is known about a project before anything runs. */
export interface ProjectFacts {
  /** Sorted paths of its files, without folders of installed or generated files. */
  files: readonly string[]
  /** The text of a file; null if it does not exist or is too large. */
  read: (name: string) => string | null
}

/** Folders of installed packages, build results and tool data. */
const IGNORED_FOLDERS = new Set(['.git', 'node_modules', '.venv', 'venv', 'target', 'dist', 'build', '__pycache__', '.tox', 'vendor'])
const MAX_FILES = 20_000
const MAX_BYTES = 1024 * 1024

export function readFacts(folder: string): ProjectFacts {
  const files: string[] = []
  const walk = (inner: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      if (files.length >= MAX_FILES) return
      const name = path.posix.join(inner, entry.name)
      if (entry.isFile()) files.push(name)
      else if (entry.isDirectory() && !IGNORED_FOLDERS.has(entry.name)) walk(name)
    }
  }
  walk('')
  return {
    files: files.toSorted(),
    read(name) {
      try {
        const file = fs.realpathSync(path.join(folder, name))
        if (!isWithin(fs.realpathSync(folder), file) || fs.statSync(file).size > MAX_BYTES) return null
        return fs.readFileSync(file, 'utf8')
      } catch {
        return null
      }
    },
  }
}
