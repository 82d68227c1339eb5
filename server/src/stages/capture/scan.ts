import fs from 'node:fs'
import type { Scan } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import { AGENT } from './agent.ts'
import { isExcluded } from './exclusions.ts'
import type { Place } from './places.ts'
import { sniff, type Sniff } from './sniff.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import { type ClientFile, isSame, walk } from './walk.ts'

export interface ScanInput {
  places: Place[]
  known: KnownFile[]
  /** Files that were read and belong to no session. */
  ignored: IgnoredFile[]
  cleanupPeriodDays: number
  /** Excluded working directories. */
  excluded: string[]
  followLinks: boolean
  now: number
}

const DAY_MS = 24 * 3600_000
const AT_RISK_DAYS = 7

interface Session {
  agent: Agent
  bytes: number
  /** Its transcript, the newest of several; the client's clean-up depends on the age of that file. */
  main: Transcript | null
  subagents: Transcript[]
  isArchived: boolean
}

interface Transcript {
  file: ClientFile
  front: Front
}

/** What the start of a transcript says. */
interface Front {
  /** null: not a session yet. */
  sessionId: string | null
  cwd: string | null
  isSubagent: boolean
}

interface Project {
  cwd: string | null
  leftOut: boolean
  agents: Set<Agent>
  sessions: number
  bytes: number
  lastUsed: number
}

/**
 * Sessions on this machine: those that an import of the same places would find, counted in the same way. Reads the
 * file metadata and the start of transcripts. Synchronous, for a worker thread.
 */
export function scan(input: ScanInput): Scan {
  const started = performance.now()
  const known = new Map(input.known.map((file) => [file.path, file]))
  const ignored = new Map(input.ignored.map((file) => [file.path, file]))
  const sessions = new Map<string, Session>()
  const within = input.places.flatMap(({ path: place }) => (fs.existsSync(place) ? [fs.realpathSync(place)] : []))
  const places = input.places.map(({ agent, path: place }) => {
    const found = (() => {
      try {
        return walk(place, { within, followLinks: input.followLinks, isFound: false })
      } catch {
        return { files: [], errors: [] } // a missing place has no files
      }
    })()
    const here = new Set<Session>()
    let bytes = 0
    for (const file of found.files) {
      bytes += agent === 'opencode' ? 0 : file.stats.size
      const before = known.get(file.path)
      if (file.stats.size === 0 || isSame(file, ignored.get(file.path))) continue
      const isTranscript = file.kind === 'main' || file.kind === 'subagent'
      const front = isTranscript ? frontOf(file, before) : { sessionId: file.sessionId, cwd: null, isSubagent: false }
      if (front.sessionId === null) continue
      const key = `${agent} ${front.sessionId}`
      const session = sessions.get(key) ?? { agent, bytes: 0, main: null, subagents: [], isArchived: true }
      sessions.set(key, session)
      here.add(session)
      session.bytes += file.stats.size
      session.isArchived &&= before !== undefined && hasAll(before, file)
      if (front.isSubagent) session.subagents.push({ file, front })
      else if (isTranscript && (session.main?.file.stats.mtimeMs ?? 0) <= file.stats.mtimeMs) session.main = { file, front }
    }
    if (agent === 'opencode') bytes = fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0
    const own = [...here].filter(isSession)
    return {
      agent,
      path: place,
      sessions: own.length,
      projects: new Set(own.map(cwdOf)).size,
      bytes,
      lastUsedAt: instantOf(Math.max(0, ...own.map(lastUsed))),
      unreadable: found.errors.length,
    }
  })
  const all = [...sessions.values()].filter(isSession)
  const projects = projectsOf(all, input.excluded)
  const wanted = all.filter((session) => projects.get(cwdOf(session))?.leftOut !== true)
  const dies = (session: Session) => lastUsed(session) + input.cleanupPeriodDays * DAY_MS
  // Claude Code deletes old transcripts; what other agents do is unknown.
  const isCleanedUp = ({ agent }: Session) => agent === AGENT
  return {
    places,
    byProject: [...projects.values()]
      .toSorted((a, b) => b.lastUsed - a.lastUsed)
      .map((project) => ({
        cwd: project.cwd,
        agents: [...project.agents].toSorted(),
        sessions: project.sessions,
        bytes: project.bytes,
        lastUsedAt: instantOf(project.lastUsed),
        leftOut: project.leftOut,
      })),
    sessions: all.length,
    subagents: all.reduce((sum, { subagents }) => sum + subagents.length, 0),
    excluded: all.length - wanted.length,
    projects: projects.size,
    bytes: places.reduce((sum, place) => sum + place.bytes, 0),
    notArchived: wanted.filter(({ isArchived }) => !isArchived).length,
    cleanupPeriodDays: input.cleanupPeriodDays,
    nextCleanup: nextCleanup(all.filter(isCleanedUp).map(dies), input.now),
    atRisk: wanted.filter((session) => isCleanedUp(session) && !session.isArchived && dies(session) <= input.now + AT_RISK_DAYS * DAY_MS)
      .length,
    ms: performance.now() - started,
  }
}

/** Files next to a deleted transcript (tool results) are not a session. */
const isSession = ({ main, subagents }: Session): boolean => main !== null || subagents.length > 0
const cwdOf = ({ main, subagents }: Session): string | null => (main ?? subagents[0])?.front.cwd ?? null
const lastUsed = ({ main, subagents }: Session): number =>
  main ? main.file.stats.mtimeMs : Math.max(0, ...subagents.map(({ file }) => file.stats.mtimeMs))
const instantOf = (ms: number): string | null => (ms > 0 ? new Date(ms).toISOString() : null)

function projectsOf(sessions: readonly Session[], excluded: readonly string[]): Map<string | null, Project> {
  const projects = new Map<string | null, Project>()
  for (const session of sessions) {
    const cwd = cwdOf(session)
    const project = projects.get(cwd) ?? {
      cwd,
      leftOut: cwd !== null && isExcluded(cwd, excluded),
      agents: new Set<Agent>(),
      sessions: 0,
      bytes: 0,
      lastUsed: 0,
    }
    projects.set(cwd, project)
    project.agents.add(session.agent)
    project.sessions += 1
    project.bytes += session.bytes
    project.lastUsed = Math.max(project.lastUsed, lastUsed(session))
  }
  return projects
}

/** Identifies a transcript like the import (discover.ts). A compressed one is not unpacked and counts as its own session. */
function frontOf(file: ClientFile, before: KnownFile | undefined): Front {
  const isSubagent = (before?.kind ?? file.kind) === 'subagent'
  if (file.sessionInfo) return { sessionId: file.sessionId, cwd: file.sessionInfo.cwd, isSubagent }
  const unread = { sessionId: before?.sessionId ?? file.sessionId ?? file.path, cwd: null, isSubagent }
  if (file.form === 'zstd') return unread
  let front: Sniff
  try {
    front = sniff(file.path)
  } catch {
    return unread // gone or unreadable: the import reports it
  }
  if (before) return { ...unread, cwd: front.cwd }
  if (front.shape === 'other') return unread
  if (front.shape !== 'json-lines' || (isSubagent && front.warmup)) return { ...unread, sessionId: null }
  const isOther = front.agent !== null && front.agent !== AGENT && file.kind === 'main'
  return {
    sessionId: isOther ? front.sessionId : (file.sessionId ?? front.sessionId),
    cwd: front.cwd,
    isSubagent: isSubagent || front.subagent !== null,
  }
}

/** Sizes of rows or compressed lines cannot be compared, so the file's metadata is. */
function hasAll(before: KnownFile, { form, stats }: ClientFile): boolean {
  return form === undefined ? before.bytes >= stats.size : before.size === stats.size && before.mtimeMs === stats.mtimeMs
}

/**
 * The client deletes old transcripts when a session starts. A time in the past means "at
 * the next start"; a future one counts all sessions that expire within a day after it.
 */
export function nextCleanup(deaths: number[], now: number): Scan['nextCleanup'] {
  if (deaths.length === 0) return null
  const at = deaths.reduce((first, death) => Math.min(first, death), Infinity)
  const until = at <= now ? now : at + DAY_MS
  return { at: new Date(at).toISOString(), sessions: deaths.filter((death) => death <= until).length }
}
