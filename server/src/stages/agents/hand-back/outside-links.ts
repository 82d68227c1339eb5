import path from 'node:path'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import type { Contents } from './contents.ts'
import { isGitName } from './tree/names.ts'

/** Linux follows no longer target. */
const MAX_TARGET_BYTES = 4096

/** The target of each link of a change that leads out of the repository or into git's own files, by path. */
export async function outsideLinks(gitDir: string, entries: readonly ChangedEntry[], contents: Contents): Promise<Map<string, string>> {
  const links = entries.filter(({ after }) => after?.mode === '120000')
  await contents.load(gitDir, links.map(({ after }) => after!.oid)) // prettier-ignore
  const found = new Map<string, string>()
  for (const { path: file, after } of links) {
    const target = (await contents.read(after!.oid)).toString('utf8', 0, MAX_TARGET_BYTES)
    if (leadsOut(file, target)) found.set(file, target)
  }
  return found
}

/** By its names alone: a link that leads through another link is shown with that other link. */
function leadsOut(file: string, target: string): boolean {
  if (path.posix.isAbsolute(target) || path.win32.isAbsolute(target)) return true
  const names = path.posix.join(path.posix.dirname(file), target).split('/')
  return names[0] === '..' || names.some(isGitName)
}
