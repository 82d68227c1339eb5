import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { isWithin } from '#server/within.ts'
import { LARGEST_TOOL_RESULT, readErrorSentence, SourceFault } from './archive/source-file.ts'
import { databaseSessions, isDatabase, placeOf } from './opencode.ts'
import { statsOf } from './stats-of.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import type { SourceKind } from './types.ts'

/** A session file, found by its name and location: one `stat`, without opening it. */
export interface ClientFile {
  path: string
  stats: Pick<fs.Stats, 'size' | 'mtimeMs' | 'ino'>
  kind: SourceKind
  /** From the file's name: the sub-agent's id or the tool result's name. */
  label: string
  /** From the path; null if only the records name the session. */
  sessionId: string | null
  form?: 'database' | 'zstd'
  /** Set for sessions in a database, whose rows name agent and folder. */
  sessionInfo?: { agent: Agent; cwd: string | null }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface Walk {
  files: ClientFile[]
  errors: { file: string; message: string; session: boolean }[]
  /** Links that were not followed because they lead outside the searched places. */
  links: OutsideLink[]
}

export interface OutsideLink {
  path: string
  target: string
}

export interface WalkRules {
  /** Real paths of folders into which a link may lead, in addition to the searched folder. */
  allowedRoots: readonly string[]
  /** Also follow links that lead elsewhere. */
  followLinks: boolean
  /** The path is not from the user: if it is a link, the rule for links applies to it too. */
  isAutomatic: boolean
}

const DEFAULT_RULES: WalkRules = { allowedRoots: [], followLinks: false, isAutomatic: false }

/** All session files under a path. Throws if the path itself cannot be read; errors below it are collected. */
export function walk(root: string, rules: WalkRules = DEFAULT_RULES): Walk {
  const found: Walk = { files: [], errors: [], links: [] }
  const stats = fs.statSync(root)
  const realPath = fs.realpathSync(root)
  if (rules.isAutomatic && realPath !== path.resolve(root) && !mayEnter(realPath, rules)) {
    found.links.push({ path: root, target: realPath })
    return found
  }
  if (stats.isDirectory()) walkFolder(realPath, found, new Set(), { ...rules, allowedRoots: [...rules.allowedRoots, realPath] })
  else if (isDatabase(realPath)) walkDatabase(realPath, found)
  else {
    const file = classify(realPath, stats)
    if (file) found.files.push(file)
    else if (stats.isFile()) found.files.push({ path: realPath, stats, kind: 'main', label: '', sessionId: null, ...formOf(realPath) })
    else found.errors.push({ file: root, message: 'This is not a regular file, so it was skipped.', session: true })
  }
  return found
}

/** Node puts it in place of invalid UTF-8 in a file name; the file cannot be opened by such a name. */
const REPLACEMENT = '\u{FFFD}'
const BAD_NAME = 'This name is not valid UTF-8, so the file or folder cannot be read. Rename it, then import again.'

function walkFolder(folder: string, found: Walk, visited: Set<string>, rules: WalkRules): void {
  if (visited.has(folder)) return
  visited.add(folder)
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
    if (code !== 'ENOENT') found.errors.push({ file: folder, message: readErrorSentence(code), session: false })
    return
  }
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.name.includes(REPLACEMENT) && !fs.lstatSync(file, { throwIfNoEntry: false })) {
      if (!entry.isFile() || isSessionFile(file)) found.errors.push({ file, message: BAD_NAME, session: entry.isFile() })
    } else if (entry.isDirectory()) {
      // `memory/` has the client's notes, not sessions.
      if (entry.name !== 'memory' && entry.name !== 'node_modules') walkFolder(file, found, visited, rules)
    } else if (entry.isSymbolicLink() || (entry.isFile() && isSessionFile(file))) {
      try {
        if (entry.isFile()) addFile(file, found)
        else followLink(file, found, visited, rules)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
        found.errors.push({ file, message: readErrorSentence(code), session: isSessionFile(file) })
      }
    }
  }
}

/** A linked folder is entered once; dangling and circular links are skipped. */
function followLink(link: string, found: Walk, visited: Set<string>, rules: WalkRules): void {
  const stats = statsOf(link)
  if (!stats) return
  const realPath = fs.realpathSync(link)
  if (!mayEnter(realPath, rules)) {
    if (stats.isDirectory() || isSessionFile(link)) found.links.push({ path: link, target: realPath })
  } else if (stats.isDirectory()) walkFolder(realPath, found, visited, rules)
  else if (stats.isFile() && isSessionFile(realPath) && !visited.has(realPath)) {
    visited.add(realPath)
    addFile(realPath, found)
  }
}

const mayEnter = (realPath: string, { followLinks, allowedRoots }: WalkRules): boolean =>
  followLinks || allowedRoots.some((place) => isWithin(place, realPath))

function addFile(file: string, found: Walk): void {
  if (isDatabase(file)) return walkDatabase(file, found)
  const stats = statsOf(file)
  const classified = stats && classify(file, stats)
  if (classified) found.files.push(classified)
}

/** Adds each session of an OpenCode database as if it were a file; `size` is the number of its rows. */
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

/** Codex compresses its transcripts after a while; older Gemini chats are one JSON document each. */
const isOtherAgentsFile = (file: string): boolean =>
  file.endsWith('.jsonl.zst') ||
  isDatabase(file) ||
  (file.endsWith('.json') && isInChats(file) && path.basename(file).startsWith('session-')) ||
  isNamedTrajectory(file)

/** File names of trajectories from Harbor and from `bashgym export`. */
const isNamedTrajectory = (file: string): boolean => /^trajectory(?:\.[\w.-]+)?\.json$|\.atif\.json$/.test(path.basename(file))

const isInChats = (file: string): boolean => path.basename(path.dirname(file)) === 'chats'

const isSessionFile = (file: string): boolean =>
  file.endsWith('.jsonl') || isOtherAgentsFile(file) || path.basename(path.dirname(file)) === 'tool-results' || file.endsWith('.meta.json')

/** The kind of a file by its path; null if it belongs to no session. */
function classify(file: string, stats: fs.Stats): ClientFile | null {
  if (!stats.isFile()) return null
  const name = path.basename(file)
  const folder = path.dirname(file)
  const session = sessionInPath(file)
  const common = { path: file, stats }
  if (path.basename(folder) === 'tool-results' && session) {
    return stats.size <= LARGEST_TOOL_RESULT
      ? { ...common, kind: 'tool-result', label: name.replace(/\.txt$/, ''), sessionId: session }
      : null
  }
  const agentFile = /^agent-(.+?)(\.meta\.json|\.jsonl)$/.exec(name)
  if (agentFile) {
    const kind = agentFile[2] === '.jsonl' ? 'subagent' : 'meta'
    if (kind === 'meta' && !session) return null
    return { ...common, kind, label: agentFile[1]!, sessionId: session }
  }
  if (name.endsWith('.jsonl.zst')) return { ...common, kind: 'main', label: '', sessionId: null, form: 'zstd' }
  if ((name.endsWith('.json') && isInChats(file)) || isNamedTrajectory(file)) return { ...common, kind: 'main', label: '', sessionId: null }
  if (!name.endsWith('.jsonl')) return null
  // A sub-agent of the Gemini CLI: `tmp/<project>/chats/<session>/<sub-agent>.jsonl`.
  if (isInChats(folder) && path.basename(path.resolve(folder, '../../..')) === 'tmp')
    return { ...common, kind: 'subagent', label: name.slice(0, -'.jsonl'.length), sessionId: path.basename(folder) }
  const stem = name.slice(0, -'.jsonl'.length)
  return { ...common, kind: 'main', label: '', sessionId: UUID.test(stem) ? stem : null }
}

/** `<session>` in `<session>/subagents/…` and `<session>/tool-results/…`. */
function sessionInPath(file: string): string | null {
  const parts = file.split(path.sep)
  for (let index = parts.length - 2; index > 0; index -= 1) {
    if ((parts[index] === 'subagents' || parts[index] === 'tool-results') && parts[index - 1]) return parts[index - 1]!
  }
  return null
}

export const isUnchanged = (file: ClientFile, before: Pick<IgnoredFile, 'inode' | 'mtimeMs' | 'size'> | KnownFile | undefined): boolean =>
  before !== undefined && before.size === file.stats.size && before.mtimeMs === file.stats.mtimeMs && before.inode === file.stats.ino
