import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { AGENT } from './agent.ts'
import type { AppendFile } from './archive/append.ts'
import { sentenceFor, SourceFault } from './archive/source-file.ts'
import { isExcluded, isExcludedFolder } from './exclusions.ts'
import { pathTag, traceId } from './identity.ts'
import { databaseOf, databaseSessions, isDatabase, placeOf } from './opencode.ts'
import { sniff, type Sniff } from './sniff.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import type { SourceKind } from './types.ts'

/**
 * Finds the session files under some paths and compares them with what the archive has. Synchronous, for a worker
 * thread: a file that did not change costs one `stat`, only a new one is opened.
 */
export interface DiscoverInput {
  /** Sessions of this agent alone; null for whosever they are. */
  agent: Agent | null
  /** Transcripts, or folders that are searched; absolute. */
  paths: string[]
  known: KnownFile[]
  ignored: IgnoredFile[]
  excluded: string[]
  /** Sessions that the user made us forget. */
  forgotten: string[]
  /** The user named these paths: a file among them is taken though it is excluded or was to be forgotten. */
  asked: boolean
  /** Look also at known files that lie elsewhere: they came by an import of their path, or by a hook. */
  elsewhere: boolean
}

/** A session with at least one file that is new or changed. */
export interface FoundSession {
  traceId: string
  agent: Agent
  sessionId: string
  files: AppendFile[]
  /** Raw bytes that seem to be new, for the progress bar. */
  newBytes: number
  mtimeMs: number
}

export interface Discovery {
  sessions: FoundSession[]
  /** Sessions of which no file changed. */
  unchanged: number
  /** `sessions` counts the faults that cost a whole session. */
  errors: { file: string; message: string; session: boolean }[]
  ignore: IgnoredFile[]
}

export interface ClientFile {
  path: string
  stats: Pick<fs.Stats, 'size' | 'mtimeMs' | 'ino'>
  kind: SourceKind
  /** What the file's name tells: the agent's id, the tool result's name. */
  label: string
  /** Session that the place tells, null when only the records can. */
  sessionId: string | null
  form?: 'database' | 'zstd'
  /** Known without opening a file: rows of a database. */
  told?: { agent: Agent; cwd: string | null }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** A tool result is text that a model was shown the front of; past this size it is something else. */
const LARGEST_TOOL_RESULT = 64 << 20

export interface Walk {
  files: ClientFile[]
  errors: { file: string; message: string; session: boolean }[]
}

/** All session files under a path. A path that cannot be read at all throws; deeper ones become errors of their own. */
export function walk(root: string): Walk {
  const found: Walk = { files: [], errors: [] }
  const stats = fs.statSync(root)
  const real = fs.realpathSync(root)
  if (stats.isDirectory()) walkFolder(real, found, new Set())
  else if (isDatabase(real)) walkDatabase(real, found)
  else {
    const file = classify(real, stats)
    if (file) found.files.push(file)
    else if (stats.isFile()) found.files.push({ path: real, stats, kind: 'main', label: '', sessionId: null, ...formOf(real) })
    else found.errors.push({ file: root, message: 'This is not a regular file, so it was left alone.', session: true })
  }
  return found
}

/** Stands in a name for bytes that are no UTF-8; such a name does not lead back to its file. */
const REPLACEMENT = '\u{FFFD}'
const BAD_NAME = 'This name is not UTF-8, so nothing under it can be read. Rename it, then import again.'

function walkFolder(folder: string, found: Walk, seen: Set<string>): void {
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
      // Beside transcripts the client keeps its own notes in `memory/`: not sessions.
      if (entry.name !== 'memory' && entry.name !== 'node_modules') walkFolder(file, found, seen)
    } else if (entry.isSymbolicLink()) followLink(file, found, seen)
    else if (entry.isFile() && isWanted(file)) addFile(file, found)
  }
}

/** A link to a folder is entered once, whatever leads there; a link into nothing or into itself is passed over. */
function followLink(link: string, found: Walk, seen: Set<string>): void {
  const stats = fs.statSync(link, { throwIfNoEntry: false })
  if (!stats) return
  const real = fs.realpathSync(link)
  if (stats.isDirectory()) walkFolder(real, found, seen)
  else if (stats.isFile() && isWanted(real) && !seen.has(real)) {
    seen.add(real)
    addFile(real, found)
  }
}

function addFile(file: string, found: Walk): void {
  if (isDatabase(file)) return walkDatabase(file, found)
  const stats = fs.statSync(file, { throwIfNoEntry: false })
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
        told: { agent: 'opencode', cwd: directory },
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
  (file.endsWith('.json') && isInChats(file) && path.basename(file).startsWith('session-'))

const isInChats = (file: string): boolean => path.basename(path.dirname(file)) === 'chats'

const isWanted = (file: string): boolean =>
  file.endsWith('.jsonl') || isOtherAgents(file) || path.basename(path.dirname(file)) === 'tool-results' || file.endsWith('.meta.json')

/** What a file is by its place (claude-code.md §6.1); null for what is none of a session's. */
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
  if (name.endsWith('.json') && isInChats(file)) return { ...base, kind: 'main', label: '', sessionId: null }
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

export function discover(input: DiscoverInput): Discovery {
  const known = new Map(input.known.map((file) => [file.path, file]))
  const ignored = new Map(input.ignored.map((file) => [file.path, file]))
  const forgotten = new Set(input.forgotten)
  const names = namesInUse(input.known)
  const result: Discovery = { sessions: [], unchanged: 0, errors: [], ignore: [] }
  const sessions = new Map<string, FoundSession>()
  const whole = new Set<string>()
  const excluded = new Set<string>()

  for (const root of input.elsewhere ? [...input.paths, ...elsewhere(input)] : input.paths) {
    let found: Walk
    try {
      found = walk(root)
    } catch (error) {
      result.errors.push({ file: root, message: sentenceFor((error as NodeJS.ErrnoException).code ?? 'UNKNOWN'), session: true })
      continue
    }
    result.errors.push(...found.errors)
    for (const file of found.files) {
      if (file.stats.size === 0 || isSame(file, ignored.get(file.path))) continue
      const before = known.get(file.path)
      const isWish = input.asked && root === file.path
      if (before && isSame(file, before) && !isWish) {
        whole.add(before.traceId)
        continue
      }
      const told = identify(file, before, input, root === file.path)
      if ('wait' in told) continue
      if ('ignore' in told) {
        result.ignore.push({
          path: file.path,
          inode: file.stats.ino,
          mtimeMs: file.stats.mtimeMs,
          size: file.stats.size,
          why: told.ignore,
        })
        continue
      }
      if ('error' in told) {
        result.errors.push({ file: file.path, message: told.error, session: file.kind === 'main' })
        continue
      }
      const agent = before?.agent ?? told.agent ?? input.agent ?? AGENT
      const id = before?.traceId ?? traceId(agent, told.sessionId)
      if (forgotten.has(id) && !isWish) continue
      if (told.excluded && !isWish) {
        excluded.add(id)
        continue
      }
      let session = sessions.get(id)
      if (!session) {
        session = { traceId: id, agent, sessionId: told.sessionId, files: [], newBytes: 0, mtimeMs: 0 }
        sessions.set(id, session)
      }
      // Which thread of Codex was started by another one only its records tell.
      const own = before
        ? { ...file, kind: before.kind }
        : told.subagent
          ? { ...file, kind: 'subagent' as const, label: told.subagent }
          : file
      const name = before?.name ?? nameFor(own, id, names)
      session.files.push({
        path: file.path,
        name,
        kind: own.kind,
        ...(file.form && { form: file.form }),
        // A file that the user names although it is archived: what is archived of it may be damaged.
        ...(isWish && before && { check: true }),
      })
      session.newBytes += Math.max(0, file.stats.size - (before?.bytes ?? 0))
      session.mtimeMs = Math.max(session.mtimeMs, file.stats.mtimeMs)
    }
  }
  for (const id of excluded) {
    sessions.delete(id)
    whole.delete(id)
  }
  for (const session of sessions.values()) session.files.sort(mainFirst)
  result.sessions = [...sessions.values()]
  result.unchanged = [...whole].filter((id) => !sessions.has(id)).length
  return result
}

/** Known files outside the paths, and the folders of their sessions, as far as they are still there. */
function elsewhere({ known, paths }: DiscoverInput): string[] {
  const roots = new Set(paths.filter((place) => fs.existsSync(place)).map((place) => fs.realpathSync(place)))
  const files = known
    .map(({ path: place, agent }) => (agent === 'opencode' ? databaseOf(place) : place))
    .filter((file) => !isBelow(file, roots))
  const folders = new Set(files.filter((file) => file.endsWith('.jsonl')).map((file) => file.slice(0, -'.jsonl'.length)))
  return [...new Set([...files.filter((file) => !isBelow(file, folders)), ...folders])].filter((place) => fs.existsSync(place))
}

function isBelow(file: string, roots: ReadonlySet<string>): boolean {
  for (let at = file; at !== path.dirname(at); at = path.dirname(at)) if (roots.has(at)) return true
  return false
}

const mainFirst = (a: AppendFile, b: AppendFile): number => Number(b.kind === 'main') - Number(a.kind === 'main')

/** `wait`: its first line is not complete yet, so nobody can tell what it is. */
type Told =
  | { sessionId: string; excluded: boolean; agent: Agent | null; subagent?: string | null }
  | { ignore: string }
  | { error: string }
  | { wait: true }

/** Which session a new or changed file belongs to. `isNamed`: the user named this very file. */
function identify(file: ClientFile, before: KnownFile | undefined, input: DiscoverInput, isNamed: boolean): Told {
  if (file.told) {
    if (input.agent !== null && input.agent !== file.told.agent) return { wait: true }
    return {
      sessionId: file.sessionId!,
      agent: file.told.agent,
      excluded: file.told.cwd !== null && isExcluded(file.told.cwd, input.excluded),
    } // a row names it
  }
  const isTranscript = file.kind === 'main' || file.kind === 'subagent'
  if (!isTranscript) return { sessionId: before?.sessionId ?? file.sessionId!, agent: AGENT, excluded: false } // classify gives these a session
  if (before && input.excluded.length === 0) return { sessionId: before.sessionId, agent: before.agent, excluded: false }
  let front: Sniff
  try {
    front = sniff(file.path)
  } catch (error) {
    if (error instanceof SourceFault) return { error: error.message }
    return { error: sentenceFor((error as NodeJS.ErrnoException).code ?? 'UNKNOWN') }
  }
  const folder = path.basename(path.dirname(file.path))
  const excluded = front.cwd === null ? isExcludedFolder(folder, input.excluded) : isExcluded(front.cwd, input.excluded)
  if (before) return { sessionId: before.sessionId, agent: before.agent, excluded }
  if (input.agent !== null && front.agent !== null && front.agent !== input.agent) {
    if (!isNamed) return { wait: true }
    return {
      error: `This is a session of ${front.agent}, not of ${input.agent}. Import it with --agent ${front.agent}, or without --agent.`,
    }
  }
  if (front.shape === 'empty') return { ignore: 'empty' }
  if (file.kind === 'subagent' && front.warmup) return { ignore: 'warmup' }
  if (front.shape === 'other')
    return { error: 'No line of this file is a JSON object, so it is not a transcript. Nothing of it was taken in.' }
  // Only Claude Code names files after sessions; what others call a file may look like it.
  const isOther = front.agent !== null && front.agent !== AGENT && file.kind === 'main'
  const sessionId = isOther ? front.sessionId : (file.sessionId ?? front.sessionId)
  if (sessionId !== null) return { sessionId, agent: front.agent, excluded, subagent: front.subagent }
  if (front.shape === 'unfinished' && !isNamed) return { wait: true }
  if (!isNamed) return { ignore: 'no session' }
  return {
    error:
      'No record of this file names a session (`sessionId`), so it is not a transcript of Claude Code, Codex, the Gemini CLI or OpenCode.',
  }
}

export const isSame = (file: ClientFile, before: Pick<IgnoredFile, 'inode' | 'mtimeMs' | 'size'> | KnownFile | undefined): boolean =>
  before !== undefined && before.size === file.stats.size && before.mtimeMs === file.stats.mtimeMs && before.inode === file.stats.ino

function namesInUse(known: KnownFile[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { traceId: id, name } of known) {
    const inUse = names.get(id)
    if (inUse) inUse.add(name)
    else names.set(id, new Set([name]))
  }
  return names
}

/** The source name of a file that is not in the archive; one that another path has already gets the path's tag. */
function nameFor(file: ClientFile, id: string, names: Map<string, Set<string>>): string {
  const inUse = names.get(id) ?? new Set()
  const wanted = file.kind === 'main' ? `main-${pathTag(file.path)}` : `${PREFIX[file.kind]}-${file.label}`
  const safe = wanted.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 150)
  const name = safe === wanted && !inUse.has(safe) ? safe : `${safe}-${pathTag(file.path)}`
  // `names` is filled for files of this run too, so that two of them never share a name.
  names.set(id, inUse.add(name))
  return name
}

const PREFIX = { main: 'main', subagent: 'agent', meta: 'meta', 'tool-result': 'tool-result', hooks: 'hooks' } as const
