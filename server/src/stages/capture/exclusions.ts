import path from 'node:path'

/**
 * Whether a working directory is excluded. An entry without `*` covers that directory and everything in it; an entry
 * with `*` (any characters, including slashes) must match the whole path.
 */
export function isExcluded(cwd: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    if (entry.includes('*')) return matchesParts(cwd, entry.split('*'))
    const folder = path.normalize(entry).replace(/\/+$/, '')
    return cwd === folder || cwd.startsWith(`${folder}/`)
  })
}

/**
 * Whether the working directory of an agent's folder is excluded. The folder is named after it, with `-` instead of every
 * character that is not a letter or digit.
 */
export function isExcludedFolder(folderName: string, entries: readonly string[]): boolean {
  return entries.some((entry) => !entry.includes('*') && folderName === entry.replace(/\/+$/, '').replaceAll(/[^A-Za-z0-9]/g, '-'))
}

/** Whether the text has these parts in order, from start to end, with anything between them. Linear, unlike a regular expression. */
function matchesParts(text: string, parts: readonly string[]): boolean {
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
