import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { AGENT } from './agent.ts'
import type { AppendFile } from './archive/append-types.ts'
import { readErrorSentence, SourceFault } from './archive/source-file.ts'
import { isExcluded, isExcludedFolder } from './exclusions.ts'
import { pathTag, traceId } from './identity.ts'
import { databaseOf } from './opencode.ts'
import { sniff, type Sniff } from './sniff.ts'
import { isFolder } from './stats-of.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import { type ClientFile, isUnchanged, type OutsideLink, walk, type Walk } from './walk.ts'

/**
 * Finds the session files under some paths and compares them with the archived files. Synchronous, for a worker
 * thread: an unchanged file costs one `stat`; only new files are opened.
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
  isExplicit: boolean
  /** Files outside the agents' folders that were read here before, because the user or a hook named them. They are looked at too. */
  followed: string[]
  /** Folders where agents keep sessions: links may point from one to another. */
  places: string[]
  followLinks: boolean
  /** The paths come from the watcher or a hook, not from the user. */
  isAutomatic: boolean
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
  /** Number of sessions without a changed file. */
  unchanged: number
  /** `session`: because of this error a whole session is missing. */
  errors: { file: string; message: string; session: boolean }[]
  ignore: IgnoredFile[]
  /** Files whose only line is incomplete; an agent may be writing it. */
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
  const unchangedIds = new Set<string>()
  const excludedIds = new Set<string>()

  const allowedRoots = input.places.flatMap((place) => realPathOf(place) ?? [])
  const roots = [
    ...input.paths.map((root) => ({ root, isAutomatic: input.isAutomatic })),
    ...followedRootsOutside(input).map((root) => ({ root, isAutomatic: true })),
  ]
  for (const { root, isAutomatic } of roots) {
    let found: Walk
    try {
      found = walk(root, { allowedRoots, followLinks: input.followLinks, isAutomatic })
    } catch (error) {
      result.errors.push({ file: root, message: readErrorSentence((error as NodeJS.ErrnoException).code ?? 'UNKNOWN'), session: true })
      continue
    }
    result.errors.push(...found.errors)
    result.links.push(...found.links)
    for (const file of found.files) {
      if (file.stats.size === 0 || isUnchanged(file, ignored.get(file.path))) continue
      const knownFile = known.get(file.path)
      const isRequested = input.isExplicit && root === file.path
      if (knownFile && isUnchanged(file, knownFile) && !isRequested) {
        unchangedIds.add(knownFile.traceId)
        continue
      }
      const identification = identify(file, knownFile, input, root === file.path)
      if ('isSkipped' in identification) continue
      if ('isUnfinished' in identification) {
        result.unfinished.push(file.path)
        continue
      }
      if ('ignore' in identification) {
        result.ignore.push({
          path: file.path,
          inode: file.stats.ino,
          mtimeMs: file.stats.mtimeMs,
          size: file.stats.size,
          why: identification.ignore,
        })
        continue
      }
      if ('error' in identification) {
        result.errors.push({ file: file.path, message: identification.error, session: file.kind === 'main' })
        continue
      }
      const agent = knownFile?.agent ?? identification.agent ?? input.agent ?? AGENT
      const id = knownFile?.traceId ?? traceId(agent, identification.sessionId)
      if (forgotten.has(id) && !isRequested) continue
      if (identification.excluded && !isRequested) {
        excludedIds.add(id)
        continue
      }
      let session = sessions.get(id)
      if (!session) {
        session = { traceId: id, agent, sessionId: identification.sessionId, files: [], newBytes: 0, mtimeMs: 0 }
        sessions.set(id, session)
      }
      // Only the records show whether another Codex thread started this one.
      const classified = knownFile
        ? { ...file, kind: knownFile.kind }
        : identification.subagent
          ? { ...file, kind: 'subagent' as const, label: identification.subagent }
          : file
      const name = knownFile?.name ?? nameFor(classified, id, names)
      session.files.push({
        path: file.path,
        name,
        kind: classified.kind,
        ...(file.form && { form: file.form }),
        // The user named an archived file: its archived copy may be damaged.
        ...(isRequested && knownFile && { check: true }),
      })
      session.newBytes += Math.max(0, file.stats.size - (knownFile?.bytes ?? 0))
      session.mtimeMs = Math.max(session.mtimeMs, file.stats.mtimeMs)
    }
  }
  for (const id of excludedIds) {
    sessions.delete(id)
    unchangedIds.delete(id)
  }
  for (const session of sessions.values()) session.files.sort(mainFirst)
  result.sessions = [...sessions.values()]
  result.unchanged = [...unchangedIds].filter((id) => !sessions.has(id)).length
  return result
}

/**
 * Followed files outside the paths, and the folders of their sessions, if they still exist. The path of an archived file alone is
 * no reason to read it, because it may come from a backup of somebody else.
 */
function followedRootsOutside({ known, followed, paths }: DiscoverInput): string[] {
  const isFollowed = new Set(followed)
  const roots = new Set(paths.filter((place) => fs.existsSync(place)).map((place) => fs.realpathSync(place)))
  const files = known
    .filter(({ path: place }) => isFollowed.has(place))
    .map(({ path: place, agent }) => (agent === 'opencode' ? databaseOf(place) : place))
    .filter((file) => !isBelow(file, roots) && !isFolder(file))
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

/** `isSkipped`: another import handles the file. `isUnfinished`: its first line is incomplete, so its kind is unknown. */
type Identification =
  | { sessionId: string; excluded: boolean; agent: Agent | null; subagent?: string | null }
  | { ignore: string }
  | { error: string }
  | { isSkipped: true }
  | { isUnfinished: true }

/** Which session a new or changed file belongs to. `isNamed`: the user named this file. */
function identify(file: ClientFile, knownFile: KnownFile | undefined, input: DiscoverInput, isNamed: boolean): Identification {
  if (file.sessionInfo) {
    if (input.agent !== null && input.agent !== file.sessionInfo.agent) return { isSkipped: true }
    return {
      sessionId: file.sessionId!, // set for every row of a database
      agent: file.sessionInfo.agent,
      excluded: file.sessionInfo.cwd !== null && isExcluded(file.sessionInfo.cwd, input.excluded),
    }
  }
  const isTranscript = file.kind === 'main' || file.kind === 'subagent'
  if (!isTranscript) return { sessionId: knownFile?.sessionId ?? file.sessionId!, agent: AGENT, excluded: false } // `classify` set the session id
  if (knownFile && input.excluded.length === 0) return { sessionId: knownFile.sessionId, agent: knownFile.agent, excluded: false }
  let sniffed: Sniff
  try {
    sniffed = sniff(file.path)
  } catch (error) {
    if (error instanceof SourceFault) return { error: error.message }
    return { error: readErrorSentence((error as NodeJS.ErrnoException).code ?? 'UNKNOWN') }
  }
  const folder = path.basename(path.dirname(file.path))
  const excluded = sniffed.cwd === null ? isExcludedFolder(folder, input.excluded) : isExcluded(sniffed.cwd, input.excluded)
  if (knownFile) return { sessionId: knownFile.sessionId, agent: knownFile.agent, excluded }
  if (input.agent !== null && sniffed.agent !== null && sniffed.agent !== input.agent) {
    if (!isNamed) return { isSkipped: true }
    return {
      error: `This is a ${sniffed.agent} session, not ${input.agent}. Import it with --agent ${sniffed.agent}, or without --agent.`,
    }
  }
  if (sniffed.shape === 'empty') return { ignore: 'empty' }
  if (sniffed.shape === 'state' && !isNamed) return { ignore: 'no conversation' }
  if (sniffed.shape === 'state')
    return { error: 'This file has no conversation: only summaries or other state of Claude Code. Choose the transcript of a session.' }
  if (file.kind === 'subagent' && sniffed.isWarmup) return { ignore: 'warmup' }
  if (sniffed.shape === 'other')
    return {
      error:
        'No line of this file is a JSON object, so it is not a transcript and was not imported. Replace it with a complete copy or move it, then import again.',
    }
  if (sniffed.shape === 'unfinished') return { isUnfinished: true }
  // Only Claude Code names files after sessions; a UUID in another agent's file name may be something else.
  const isOther = sniffed.agent !== null && sniffed.agent !== AGENT && file.kind === 'main'
  const sessionId = isOther ? sniffed.sessionId : (file.sessionId ?? sniffed.sessionId)
  if (sessionId !== null) return { sessionId, agent: sniffed.agent, excluded, subagent: sniffed.subagent }
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

/** The source name of a file that is not in the archive. If another path uses the name, the path's tag is added. */
function nameFor(file: ClientFile, id: string, names: Map<string, Set<string>>): string {
  const inUse = names.get(id) ?? new Set()
  const preferredName = file.kind === 'main' ? `main-${pathTag(file.path)}` : `${PREFIX[file.kind]}-${file.label}`
  const safe = preferredName.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 150)
  const name = safe === preferredName && !inUse.has(safe) ? safe : `${safe}-${pathTag(file.path)}`
  // Added to `names`, so that no other file of this call gets the same name.
  names.set(id, inUse.add(name))
  return name
}

const PREFIX = { main: 'main', subagent: 'agent', meta: 'meta', 'tool-result': 'tool-result', hooks: 'hooks' } as const
