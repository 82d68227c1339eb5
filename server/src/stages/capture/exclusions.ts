import path from 'node:path'

/**
 * Is this working directory excluded? An entry without `*` means that directory and everything in it; with `*` (any
 * run of characters, slashes too) it must match the whole directory.
 */
export function isExcluded(cwd: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    if (entry.includes('*')) return patternOf(entry).test(cwd)
    const folder = path.normalize(entry).replace(/\/+$/, '')
    return cwd === folder || cwd.startsWith(`${folder}/`)
  })
}

/** The same by the client's folder name, which keeps letters and digits of the directory and turns the rest into `-`. */
export function isExcludedFolder(folderName: string, entries: readonly string[]): boolean {
  return entries.some((entry) => !entry.includes('*') && folderName === entry.replace(/\/+$/, '').replaceAll(/[^A-Za-z0-9]/g, '-'))
}

const patternOf = (entry: string): RegExp =>
  new RegExp(
    `^${entry
      .split('*')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
  )
