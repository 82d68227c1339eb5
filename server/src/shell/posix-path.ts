/** What the judge of commands needs of paths, written out, because it also runs inside Claude Code, where there is no Node. */

/** The last part, without slashes after it, and without `suffix` unless it is all of it; as `path.posix.basename`. */
export function basename(text: string, suffix = ''): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  const name = text.slice(text.lastIndexOf('/', end - 1) + 1, end)
  return end === 0 ? '' : suffix !== '' && suffix !== name && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

/** As `path.posix.dirname`. */
export function dirname(text: string): string {
  let end = text.length
  while (end > 1 && text[end - 1] === '/') end -= 1
  const slash = text.lastIndexOf('/', end - 1)
  if (slash > 0) return slash === 1 && text.startsWith('//') ? '//' : text.slice(0, slash)
  return slash === 0 ? '/' : '.'
}

/** As `path.posix.normalize`. */
export function normalize(text: string): string {
  if (text === '') return '.'
  const isAbsolute = text.startsWith('/')
  const kept: string[] = []
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push('..')
  }
  const joined = kept.join('/')
  const end = text.endsWith('/') && joined !== '' ? '/' : ''
  if (isAbsolute) return `/${joined}${end}`
  return joined === '' ? (text.endsWith('/') ? './' : '.') : `${joined}${end}`
}
