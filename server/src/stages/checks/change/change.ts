import { createHash } from 'node:crypto'
import path from 'node:path'
import type { ChangedCheck } from '#contracts/entities/check.ts'
import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'
import { entriesOf, environmentsOf, type ProjectFacts } from '../facts.ts'
import type { FileFilter } from '../pack.ts'
import { type CheckFileKind, isInstalled, isWatched, kindOf } from './check-files.ts'
import { namedFiles } from './named-files.ts'
import { packageOfChange } from './package-json.ts'

const MAX_FILES = 50_000
const MAX_PACKAGE_BYTES = 4 * 1024 * 1024

/** A project before and after a change, combined so that the changed work is tested by the checks from before. */
export interface Change {
  start: string
  end: string
  /** Facts about the state before the change. */
  facts: ProjectFacts
  /** Files related to checks that the change modified; the versions from before are run. */
  changedChecks: ChangedCheck[]
  /** Which files are taken from the state after the change. */
  isWork: FileFilter
  /** Which files from before the change are copied over those. */
  isCheck: FileFilter
  /** Files of checks that no test run should change. */
  isWatched: (name: string) => boolean
  /** Files merged from both states, written last. */
  files: { name: string; text: string }[]
}

/** `commands` run the checks. `facts` are those of the state before the change. */
export async function changeOf(
  start: string,
  end: string,
  { facts, commands }: { facts: ProjectFacts; commands: readonly string[] },
): Promise<Change> {
  const named = await namedFiles(facts, commands)
  const environments = await environmentsOf(start)
  const isTaken = (name: string) => isInstalled(name) || environments.some((folder) => name === folder || name.startsWith(`${folder}/`))
  const kind: KindOf = (name) => kindOf(name) ?? (named.has(name) ? 'configuration' : null)
  const { changedChecks, files } = await inJudged(start, (before) => inJudged(end, (after) => compare(before, after, kind)))
  return {
    start,
    end,
    facts,
    changedChecks,
    isWork: (name, isFolder) => !isTaken(name) && (isFolder || (kind(name) === null && !isPackage(name))),
    isCheck: (name, isFolder) => isFolder || isTaken(name) || kind(name) !== null,
    isWatched: (name) => isWatched(name) || named.has(name),
    files,
  }
}

type KindOf = (name: string) => CheckFileKind | null

async function compare(start: ForeignFolder, end: ForeignFolder, kindIn: KindOf): Promise<Pick<Change, 'changedChecks' | 'files'>> {
  const before = await namesIn(start, kindIn)
  const after = await namesIn(end, kindIn)
  const changedChecks: ChangedCheck[] = []
  const files: Change['files'] = []
  for (const name of new Set([...before, ...after].toSorted())) {
    const change = !before.has(name) ? 'added' : !after.has(name) ? 'removed' : 'changed'
    if (isPackage(name)) {
      const [old, now] = [await start.textOrNull(name, MAX_PACKAGE_BYTES), await end.textOrNull(name, MAX_PACKAGE_BYTES)]
      const { text, isChanged } = packageOfChange(old, now)
      if (text !== null) files.push({ name, text })
      if (isChanged) changedChecks.push({ file: name, kind: 'configuration', change })
      continue
    }
    const kind = kindIn(name)
    if (kind !== null && (change !== 'changed' || (await fingerprintOf(start, name)) !== (await fingerprintOf(end, name))))
      changedChecks.push({ file: name, kind, change })
  }
  return { changedChecks, files }
}

const isPackage = (name: string) => path.posix.basename(name) === 'package.json' && kindOf(name) === null

/** Files and links below the folder that are related to checks. */
async function namesIn(folder: ForeignFolder, kindIn: KindOf): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const { name } of entriesOf(folder, (inner) => !isInstalled(inner))) {
    if (names.size >= MAX_FILES) break
    if (!isInstalled(name) && (kindIn(name) !== null || isPackage(name))) names.add(name)
  }
  return names
}

/** Changes with the content of a file or link, and with its executable bits. */
async function fingerprintOf(folder: ForeignFolder, name: string): Promise<string> {
  try {
    const found = await folder.find(name)
    if (found?.kind === 'link') return `link ${await folder.readLink(name)}`
    if (found?.kind !== 'file') return `other ${found?.mode ?? ''}`
    const hash = createHash('sha256')
    for await (const chunk of await folder.stream(name)) hash.update(chunk as Buffer)
    return `${found.mode & 0o111} ${hash.digest('hex')}`
  } catch (error) {
    if (error instanceof ForeignFileError) return error.code // it cannot be read, or was replaced in the meantime
    throw error
  }
}
