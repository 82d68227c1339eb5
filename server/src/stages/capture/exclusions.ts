import path from 'node:path'

/**
 * Is this working directory excluded? An entry without `*` covers that directory and everything in it; with `*` (any
 * sequence of characters, including slashes) it must match the whole path.
 */
export function isExcluded(cwd: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    if (entry.includes('*')) return fits(cwd, entry.split('*'))
    const folder = path.normalize(entry).replace(/\/+$/, '')
    return cwd === folder || cwd.startsWith(`${folder}/`)
  })
}

/** The same by the agent's folder name, which is the directory with all but letters and digits replaced by `-`. */
export function isExcludedFolder(folderName: string, entries: readonly string[]): boolean {
  return entries.some((entry) => !entry.includes('*') && folderName === entry.replace(/\/+$/, '').replaceAll(/[^A-Za-z0-9]/g, '-'))
}

/** Whether the text consists of these parts in order, with anything between them. Linear, unlike a regular expression. */
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
