import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ChangedCheck } from '#contracts/entities/check.ts'
import { type ProjectFacts, readFacts } from '../facts.ts'
import type { FileFilter } from '../pack.ts'
import { isInstalled, kindOf } from './check-files.ts'
import { packageOfChange } from './package-json.ts'

const MAX_FILES = 50_000

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
  /** Files merged from both states, written last. */
  files: { name: string; text: string }[]
}

export function changeOf(start: string, end: string): Change {
  const before = namesIn(start)
  const after = namesIn(end)
  const changedChecks: ChangedCheck[] = []
  const files: Change['files'] = []
  for (const name of new Set([...before, ...after].toSorted())) {
    const change = !before.has(name) ? 'added' : !after.has(name) ? 'removed' : 'changed'
    if (isPackage(name)) {
      const { text, isChanged } = packageOfChange(textOf(start, name), textOf(end, name))
      if (text !== null) files.push({ name, text })
      if (isChanged) changedChecks.push({ file: name, kind: 'configuration', change })
      continue
    }
    const kind = kindOf(name)
    if (kind !== null && (change !== 'changed' || fingerprintOf(start, name) !== fingerprintOf(end, name)))
      changedChecks.push({ file: name, kind, change })
  }
  return {
    start,
    end,
    facts: readFacts(start),
    changedChecks,
    isWork: (name, isFolder) => !isInstalled(name) && (isFolder || (kindOf(name) === null && !isPackage(name))),
    isCheck: (name, isFolder) => isFolder || isInstalled(name) || kindOf(name) !== null,
    files,
  }
}

const isPackage = (name: string) => path.posix.basename(name) === 'package.json' && kindOf(name) === null

/** Files and links below the folder that are related to checks. */
function namesIn(folder: string): Set<string> {
  const names = new Set<string>()
  const walk = (inner: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = path.posix.join(inner, entry.name)
      if (isInstalled(name) || names.size >= MAX_FILES) continue
      if (entry.isDirectory()) walk(name)
      else if (kindOf(name) !== null || isPackage(name)) names.add(name)
    }
  }
  walk('')
  return names
}

/** Changes with the content of a file or link, and with its executable bits. */
function fingerprintOf(folder: string, name: string): string {
  const place = path.join(folder, name)
  const stat = fs.lstatSync(place)
  if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(place)}`
  if (!stat.isFile()) return `other ${stat.mode}`
  return `${stat.mode & 0o111} ${createHash('sha256').update(fs.readFileSync(place)).digest('hex')}`
}

/** Null if there is no such file or it is a link. */
function textOf(folder: string, name: string): string | null {
  const place = path.join(folder, name)
  return fs.lstatSync(place, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(place, 'utf8') : null
}
