import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { AGENT } from './agent.ts'
import type { AppendFile } from './archive/append-types.ts'
import { sentenceFor, SourceFault } from './archive/source-file.ts'
import { isExcluded, isExcludedFolder } from './exclusions.ts'
import { pathTag, traceId } from './identity.ts'
import { databaseOf } from './opencode.ts'
import { sniff, type Sniff } from './sniff.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import { type ClientFile, isSame, type OutsideLink, walk, type Walk } from './walk.ts'

/**
 * Finds the session files under some paths and compares them with what the archive has. Synchronous, for a worker
 * thread: a file that did not change costs one `stat`, only a new one is opened.
 */
export interface DiscoverInput {
  /** Only sessions of this agent; null for all agents. */
  agent: Agent | null
  /** Transcripts, or folders that are searched; absolute. */
  paths: string[]
  known: KnownFile[]
  ignored: IgnoredFile[]
  excluded: string[]
  /** Sessions that the user deleted. */
  forgotten: string[]
  /** The user named these paths: a file among them is imported even if it is excluded or was deleted. */
  asked: boolean
  /** Also check known files elsewhere, which were imported by path or by a hook. */
  elsewhere: boolean
  /** Folders where agents keep sessions: links may point from one to another. */
  places: string[]
  followLinks: boolean
  /** The paths come from the watcher or a hook, not from the user. */
  found: boolean
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
  /** `session` marks errors that lost a whole session. */
  errors: { file: string; message: string; session: boolean }[]
  ignore: IgnoredFile[]
  /** Files without a complete record yet: one may be in the middle of being written. */
  unfinished: string[]
  links: OutsideLink[]
}

export function discover(input: DiscoverInput): Discovery {
  const known = new Map(input.known.map((file) => [file.path, file]))
  const ignored = new Map(input.ignored.map((file) => [file.path, file]))
  const forgotten = new Set(input.forgotten)
  const names = namesInUse(input.known)
  const result: Discovery = { sessions: [], unchanged: 0, errors: [], ignore: [], unfinished: [], links: [] }
  const sessions = new Map<string, FoundSession>()
  const whole = new Set<string>()
  const excluded = new Set<string>()

  const within = input.places.flatMap((place) => realPathOf(place) ?? [])
  const roots = [
    ...input.paths.map((root) => ({ root, isFound: input.found })),
    ...(input.elsewhere ? elsewhere(input) : []).map((root) => ({ root, isFound: true })),
  ]
  for (const { root, isFound } of roots) {
    let found: Walk
    try {
      found = walk(root, { within, followLinks: input.followLinks, isFound })
    } catch (error) {
      result.errors.push({ file: root, message: sentenceFor((error as NodeJS.ErrnoException).code ?? 'UNKNOWN'), session: true })
      continue
    }
    result.errors.push(...found.errors)
    result.links.push(...found.links)
    for (const file of found.files) {
      if (file.stats.size === 0 || isSame(file, ignored.get(file.path))) continue
      const before = known.get(file.path)
      const isRequested = input.asked && root === file.path
      if (before && isSame(file, before) && !isRequested) {
        whole.add(before.traceId)
        continue
      }
      const identified = identify(file, before, input, root === file.path)
      if ('wait' in identified) continue
      if ('unfinished' in identified) {
        result.unfinished.push(file.path)
        continue
      }
      if ('ignore' in identified) {
        result.ignore.push({
          path: file.path,
          inode: file.stats.ino,
          mtimeMs: file.stats.mtimeMs,
          size: file.stats.size,
          why: identified.ignore,
        })
        continue
      }
      if ('error' in identified) {
        result.errors.push({ file: file.path, message: identified.error, session: file.kind === 'main' })
        continue
      }
      const agent = before?.agent ?? identified.agent ?? input.agent ?? AGENT
      const id = before?.traceId ?? traceId(agent, identified.sessionId)
      if (forgotten.has(id) && !isRequested) continue
      if (identified.excluded && !isRequested) {
        excluded.add(id)
        continue
      }
      let session = sessions.get(id)
      if (!session) {
        session = { traceId: id, agent, sessionId: identified.sessionId, files: [], newBytes: 0, mtimeMs: 0 }
        sessions.set(id, session)
      }
      // Only its records show which Codex thread was started by another one.
      const own = before
        ? { ...file, kind: before.kind }
        : identified.subagent
          ? { ...file, kind: 'subagent' as const, label: identified.subagent }
          : file
      const name = before?.name ?? nameFor(own, id, names)
      session.files.push({
        path: file.path,
        name,
        kind: own.kind,
        ...(file.form && { form: file.form }),
        // The user named an archived file: its archived copy may be damaged.
        ...(isRequested && before && { check: true }),
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

/** Known files outside the paths, and the folders of their sessions, if they still exist. */
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

function realPathOf(place: string): string | null {
  try {
    return fs.realpathSync(place)
  } catch {
    return null // does not exist
  }
}

const mainFirst = (a: AppendFile, b: AppendFile): number => Number(b.kind === 'main') - Number(a.kind === 'main')

/** `wait`: another import handles it. `unfinished`: its first line is incomplete, so its kind is unknown. */
type Identification =
  | { sessionId: string; excluded: boolean; agent: Agent | null; subagent?: string | null }
  | { ignore: string }
  | { error: string }
  | { wait: true }
  | { unfinished: true }

/** Which session a new or changed file belongs to. `isNamed`: the user named this file. */
function identify(file: ClientFile, before: KnownFile | undefined, input: DiscoverInput, isNamed: boolean): Identification {
  if (file.sessionInfo) {
    if (input.agent !== null && input.agent !== file.sessionInfo.agent) return { wait: true }
    return {
      sessionId: file.sessionId!,
      agent: file.sessionInfo.agent,
      excluded: file.sessionInfo.cwd !== null && isExcluded(file.sessionInfo.cwd, input.excluded),
    } // a row names it
  }
  const isTranscript = file.kind === 'main' || file.kind === 'subagent'
  if (!isTranscript) return { sessionId: before?.sessionId ?? file.sessionId!, agent: AGENT, excluded: false } // classify sets their session
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
      error: `This is a ${front.agent} session, not ${input.agent}. Import it with --agent ${front.agent}, or without --agent.`,
    }
  }
  if (front.shape === 'empty') return { ignore: 'empty' }
  if (file.kind === 'subagent' && front.warmup) return { ignore: 'warmup' }
  if (front.shape === 'other')
    return {
      error:
        'No line of this file is a JSON object, so it is not a transcript and was not imported. Replace it with a complete copy or move it, then import again.',
    }
  if (front.shape === 'unfinished') return { unfinished: true }
  // Only Claude Code names files after sessions; file names of other agents may only look like it.
  const isOther = front.agent !== null && front.agent !== AGENT && file.kind === 'main'
  const sessionId = isOther ? front.sessionId : (file.sessionId ?? front.sessionId)
  if (sessionId !== null) return { sessionId, agent: front.agent, excluded, subagent: front.subagent }
  if (!isNamed) return { ignore: 'no session' }
  return {
    error:
      'No record of this file names a session (`sessionId`), so it is not a transcript of Claude Code, Codex, the Gemini CLI or OpenCode, nor a trajectory in ATIF. Choose a transcript or its folder.',
  }
}

function namesInUse(known: KnownFile[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { traceId: id, name } of known) {
    const inUse = names.get(id)
    if (inUse) inUse.add(name)
    else names.set(id, new Set([name]))
  }
  return names
}

/** The source name of a file that is not in the archive; a name used by another path gets the path's tag. */
function nameFor(file: ClientFile, id: string, names: Map<string, Set<string>>): string {
  const inUse = names.get(id) ?? new Set()
  const wanted = file.kind === 'main' ? `main-${pathTag(file.path)}` : `${PREFIX[file.kind]}-${file.label}`
  const safe = wanted.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 150)
  const name = safe === wanted && !inUse.has(safe) ? safe : `${safe}-${pathTag(file.path)}`
  // Names given in this run are added to `names`, so that two files never share one.
  names.set(id, inUse.add(name))
  return name
}

const PREFIX = { main: 'main', subagent: 'agent', meta: 'meta', 'tool-result': 'tool-result', hooks: 'hooks' } as const
