import path from 'node:path'

/**
 * Is this working directory excluded? An entry without `*` means that directory and everything in it; with `*` (any
 * run of characters, slashes too) it must match the whole directory.
 */
export function isExcluded(cwd: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    if (entry.includes('*')) return fits(cwd, entry.split('*'))
    const folder = path.normalize(entry).replace(/\/+$/, '')
    return cwd === folder || cwd.startsWith(`${folder}/`)
  })
}

/** The same by the client's folder name, which keeps letters and digits of the directory and turns the rest into `-`. */
export function isExcludedFolder(folderName: string, entries: readonly string[]): boolean {
  return entries.some((entry) => !entry.includes('*') && folderName === entry.replace(/\/+$/, '').replaceAll(/[^A-Za-z0-9]/g, '-'))
}

/** Whether these parts follow each other in the text, from its beginning to its end. In time proportional to the text, which a regular expression is not. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
