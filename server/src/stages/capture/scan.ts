import fs from 'node:fs'
import type { Scan } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import { AGENT } from './agent.ts'
import { isExcluded } from './exclusions.ts'
import type { Place } from './places.ts'
import { isDatabase } from './opencode.ts'
import { sniff, type Sniff } from './sniff.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import { type ClientFile, isUnchanged, walk } from './walk.ts'

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
  /** The newest main transcript; the client's clean-up depends on its age. */
  main: Transcript | null
  subagents: Transcript[]
  isArchived: boolean
}

interface Transcript {
  file: ClientFile
  front: Front
}

/** Facts from the start of a transcript. */
interface Front {
  /** Null if the file is not a session yet. */
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
 * Counts the sessions that an import of the same places would find. Reads file metadata and the start of
 * transcripts. Synchronous, for a worker thread.
 */
export function scan(input: ScanInput): Scan {
  const startedAt = performance.now()
  const known = new Map(input.known.map((file) => [file.path, file]))
  const ignored = new Map(input.ignored.map((file) => [file.path, file]))
  const sessions = new Map<string, Session>()
  const allowedRoots = input.places.flatMap(({ path: place }) => (fs.existsSync(place) ? [fs.realpathSync(place)] : []))
  const places = input.places.map(({ agent, path: place }) => {
    const found = (() => {
      try {
        return walk(place, { allowedRoots, followLinks: input.followLinks, isAutomatic: false })
      } catch {
        return { files: [], errors: [] } // a missing place has no files
      }
    })()
    const placeSessions = new Set<Session>()
    let bytes = 0
    for (const file of found.files) {
      bytes += file.sessionInfo ? (file.sessionInfo.bytes ?? 0) : file.stats.size
      const knownFile = known.get(file.path)
      if (file.stats.size === 0 || isUnchanged(file, ignored.get(file.path))) continue
      const isTranscript = file.kind === 'main' || file.kind === 'subagent'
      const front = isTranscript ? frontOf(file, knownFile) : { sessionId: file.sessionId, cwd: null, isSubagent: false }
      if (front.sessionId === null) continue
      const key = `${agent} ${front.sessionId}`
      const session = sessions.get(key) ?? { agent, bytes: 0, main: null, subagents: [], isArchived: true }
      sessions.set(key, session)
      placeSessions.add(session)
      session.bytes += file.stats.size
      session.isArchived &&= knownFile !== undefined && isFullyArchived(knownFile, file)
      if (front.isSubagent) session.subagents.push({ file, front })
      else if (isTranscript && (session.main?.file.stats.mtimeMs ?? 0) <= file.stats.mtimeMs) session.main = { file, front }
    }
    if (isDatabase(place)) bytes = fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0
    const own = [...placeSessions].filter(isSession)
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
  const included = all.filter((session) => projects.get(cwdOf(session))?.leftOut !== true)
  const expiresAt = (session: Session) => lastUsed(session) + input.cleanupPeriodDays * DAY_MS
  // Claude Code deletes old transcripts; it is unknown whether other agents do.
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
    excluded: all.length - included.length,
    projects: projects.size,
    bytes: places.reduce((sum, place) => sum + place.bytes, 0),
    notArchived: included.filter(({ isArchived }) => !isArchived).length,
    cleanupPeriodDays: input.cleanupPeriodDays,
    nextCleanup: nextCleanup(all.filter(isCleanedUp).map(expiresAt), input.now),
    atRisk: included.filter(
      (session) => isCleanedUp(session) && !session.isArchived && expiresAt(session) <= input.now + AT_RISK_DAYS * DAY_MS,
    ).length,
    ms: performance.now() - startedAt,
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

/** Identifies a transcript like the import (discover.ts), except that a compressed file is not read and counts as one session. */
function frontOf(file: ClientFile, knownFile: KnownFile | undefined): Front {
  const isSubagent = (knownFile?.kind ?? file.kind) === 'subagent'
  if (file.sessionInfo) return { sessionId: file.sessionId, cwd: file.sessionInfo.cwd, isSubagent }
  const unopened = { sessionId: knownFile?.sessionId ?? file.sessionId ?? file.path, cwd: null, isSubagent }
  if (file.form === 'zstd') return unopened
  let sniffed: Sniff
  try {
    sniffed = sniff(file.path)
  } catch {
    return unopened // deleted or unreadable: the import reports it
  }
  if (knownFile) return { ...unopened, cwd: sniffed.cwd }
  if (sniffed.shape === 'other') return unopened
  if (sniffed.shape !== 'records' || (isSubagent && sniffed.isWarmup)) return { ...unopened, sessionId: null }
  const isOther = sniffed.agent !== null && sniffed.agent !== AGENT && file.kind === 'main'
  return {
    sessionId: isOther ? sniffed.sessionId : (file.sessionId ?? sniffed.sessionId),
    cwd: sniffed.cwd,
    isSubagent: isSubagent || sniffed.subagent !== null,
  }
}

/** For a database or a compressed file, sizes cannot be compared, so metadata is. */
function isFullyArchived(knownFile: KnownFile, { form, stats }: ClientFile): boolean {
  return form === undefined ? knownFile.bytes >= stats.size : knownFile.size === stats.size && knownFile.mtimeMs === stats.mtimeMs
}

/**
 * The client deletes old transcripts when a session starts. A time in the past means "at the next start of a
 * session"; a future time counts all sessions that expire within a day after it.
 */
export function nextCleanup(expiryTimes: number[], now: number): Scan['nextCleanup'] {
  if (expiryTimes.length === 0) return null
  const at = expiryTimes.reduce((first, time) => Math.min(first, time), Infinity)
  const until = at <= now ? now : at + DAY_MS
  return { at: new Date(at).toISOString(), sessions: expiryTimes.filter((time) => time <= until).length }
}
