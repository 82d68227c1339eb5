import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { isWithin } from '#server/within.ts'
import { sentenceFor, SourceFault } from './archive/source-file.ts'
import { databaseSessions, isDatabase, placeOf } from './opencode.ts'
import { statsOf } from './stats-of.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import type { SourceKind } from './types.ts'

/** Finds session files under a path by name and location: one `stat` per file, none is opened. */
export interface ClientFile {
  path: string
  stats: Pick<fs.Stats, 'size' | 'mtimeMs' | 'ino'>
  kind: SourceKind
  /** From the file's name: the agent's id, the tool result's name. */
  label: string
  /** Session from the path, null if only the records have it. */
  sessionId: string | null
  form?: 'database' | 'zstd'
  /** Known without opening a file: rows of a database. */
  sessionInfo?: { agent: Agent; cwd: string | null }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** A tool result is text that was partly shown to a model; larger files are something else. */
const LARGEST_TOOL_RESULT = 64 << 20

export interface Walk {
  files: ClientFile[]
  errors: { file: string; message: string; session: boolean }[]
  /** Links that lead outside the searched places, and were not followed. */
  links: OutsideLink[]
}

export interface OutsideLink {
  path: string
  target: string
}

export interface WalkRules {
  /** Real paths in which a link may end, besides the searched folder. */
  within: readonly string[]
  /** Also follow links that end elsewhere. */
  followLinks: boolean
  /** The path is not from the user: if it is a link itself, the same rule applies. */
  isFound: boolean
}

const NAMED: WalkRules = { within: [], followLinks: false, isFound: false }

/** All session files under a path. Throws if the path itself cannot be read; errors below it are collected. */
export function walk(root: string, rules: WalkRules = NAMED): Walk {
  const found: Walk = { files: [], errors: [], links: [] }
  const stats = fs.statSync(root)
  const real = fs.realpathSync(root)
  if (rules.isFound && real !== path.resolve(root) && !mayEnter(real, rules)) {
    found.links.push({ path: root, target: real })
    return found
  }
  if (stats.isDirectory()) walkFolder(real, found, new Set(), { ...rules, within: [...rules.within, real] })
  else if (isDatabase(real)) walkDatabase(real, found)
  else {
    const file = classify(real, stats)
    if (file) found.files.push(file)
    else if (stats.isFile()) found.files.push({ path: real, stats, kind: 'main', label: '', sessionId: null, ...formOf(real) })
    else found.errors.push({ file: root, message: 'This is not a regular file, so it was skipped.', session: true })
  }
  return found
}

/** Replaces invalid UTF-8 in a name; such a name does not identify its file. */
const REPLACEMENT = '\u{FFFD}'
const BAD_NAME = 'This name is not valid UTF-8, so nothing inside can be read. Rename it, then import again.'

function walkFolder(folder: string, found: Walk, seen: Set<string>, rules: WalkRules): void {
  if (seen.has(folder)) return
  seen.add(folder)
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
    if (code !== 'ENOENT') found.errors.push({ file: folder, message: sentenceFor(code), session: false })
    return
  }
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.name.includes(REPLACEMENT) && !fs.lstatSync(file, { throwIfNoEntry: false })) {
      if (!entry.isFile() || isWanted(file)) found.errors.push({ file, message: BAD_NAME, session: entry.isFile() })
    } else if (entry.isDirectory()) {
      // The client keeps its own notes in `memory/`, which are not sessions.
      if (entry.name !== 'memory' && entry.name !== 'node_modules') walkFolder(file, found, seen, rules)
    } else if (entry.isSymbolicLink() || (entry.isFile() && isWanted(file))) {
      try {
        if (entry.isFile()) addFile(file, found)
        else followLink(file, found, seen, rules)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
        found.errors.push({ file, message: sentenceFor(code), session: isWanted(file) })
      }
    }
  }
}

/** A linked folder is entered once; dangling and circular links are skipped. */
function followLink(link: string, found: Walk, seen: Set<string>, rules: WalkRules): void {
  const stats = statsOf(link)
  if (!stats) return
  const real = fs.realpathSync(link)
  if (!mayEnter(real, rules)) {
    if (stats.isDirectory() || isWanted(link)) found.links.push({ path: link, target: real })
  } else if (stats.isDirectory()) walkFolder(real, found, seen, rules)
  else if (stats.isFile() && isWanted(real) && !seen.has(real)) {
    seen.add(real)
    addFile(real, found)
  }
}

const mayEnter = (real: string, { followLinks, within }: WalkRules): boolean => followLinks || within.some((place) => isWithin(place, real))

function addFile(file: string, found: Walk): void {
  if (isDatabase(file)) return walkDatabase(file, found)
  const stats = statsOf(file)
  const classified = stats && classify(file, stats)
  if (classified) found.files.push(classified)
}

/** The sessions of OpenCode, as if each were a file: `size` counts its rows. */
function walkDatabase(database: string, found: Walk): void {
  try {
    for (const { id, root, directory, changedAt, rows } of databaseSessions(database)) {
      found.files.push({
        path: placeOf(database, id),
        stats: { size: rows, mtimeMs: changedAt, ino: 0 },
        kind: id === root ? 'main' : 'subagent',
        label: id === root ? '' : id,
        sessionId: root,
        form: 'database',
        sessionInfo: { agent: 'opencode', cwd: directory },
      })
    }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    found.errors.push({ file: database, message: error.message, session: true })
  }
}

const formOf = (file: string): { form?: 'zstd' } => (file.endsWith('.zst') ? { form: 'zstd' } : {})

/** Rollouts of Codex are compressed after a while; older chats of Gemini are one document each. */
const isOtherAgents = (file: string): boolean =>
  file.endsWith('.jsonl.zst') ||
  isDatabase(file) ||
  (file.endsWith('.json') && isInChats(file) && path.basename(file).startsWith('session-')) ||
  isNamedTrajectory(file)

/** File names of trajectories from Harbor and from `bashgym export`. */
const isNamedTrajectory = (file: string): boolean => /^trajectory(?:\.[\w.-]+)?\.json$|\.atif\.json$/.test(path.basename(file))

const isInChats = (file: string): boolean => path.basename(path.dirname(file)) === 'chats'

const isWanted = (file: string): boolean =>
  file.endsWith('.jsonl') || isOtherAgents(file) || path.basename(path.dirname(file)) === 'tool-results' || file.endsWith('.meta.json')

/** The kind of a file by its path; null if it belongs to no session. */
function classify(file: string, stats: fs.Stats): ClientFile | null {
  if (!stats.isFile()) return null
  const name = path.basename(file)
  const folder = path.dirname(file)
  const session = sessionAbove(file)
  const base = { path: file, stats }
  if (path.basename(folder) === 'tool-results' && session) {
    return stats.size <= LARGEST_TOOL_RESULT
      ? { ...base, kind: 'tool-result', label: name.replace(/\.txt$/, ''), sessionId: session }
      : null
  }
  const agentFile = /^agent-(.+?)(\.meta\.json|\.jsonl)$/.exec(name)
  if (agentFile) {
    const kind = agentFile[2] === '.jsonl' ? 'subagent' : 'meta'
    if (kind === 'meta' && !session) return null
    return { ...base, kind, label: agentFile[1]!, sessionId: session }
  }
  if (name.endsWith('.jsonl.zst')) return { ...base, kind: 'main', label: '', sessionId: null, form: 'zstd' }
  if ((name.endsWith('.json') && isInChats(file)) || isNamedTrajectory(file)) return { ...base, kind: 'main', label: '', sessionId: null }
  if (!name.endsWith('.jsonl')) return null
  // A sub-agent of the Gemini CLI: `tmp/<project>/chats/<session>/<sub-agent>.jsonl`.
  if (isInChats(folder) && path.basename(path.resolve(folder, '../../..')) === 'tmp')
    return { ...base, kind: 'subagent', label: name.slice(0, -'.jsonl'.length), sessionId: path.basename(folder) }
  const stem = name.slice(0, -'.jsonl'.length)
  return { ...base, kind: 'main', label: '', sessionId: UUID.test(stem) ? stem : null }
}

/** `<session>` in `<session>/subagents/…` and `<session>/tool-results/…`. */
function sessionAbove(file: string): string | null {
  const parts = file.split(path.sep)
  for (let index = parts.length - 2; index > 0; index -= 1) {
    if ((parts[index] === 'subagents' || parts[index] === 'tool-results') && parts[index - 1]) return parts[index - 1]!
  }
  return null
}

/** Whether it is unchanged. */
export const isSame = (file: ClientFile, before: Pick<IgnoredFile, 'inode' | 'mtimeMs' | 'size'> | KnownFile | undefined): boolean =>
  before !== undefined && before.size === file.stats.size && before.mtimeMs === file.stats.mtimeMs && before.inode === file.stats.ino
