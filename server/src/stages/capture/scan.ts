import fs from 'node:fs'
import type { Scan } from '#contracts/entities/capture.ts'
import path from 'node:path'
import { AGENT } from './agent.ts'
import { openSource } from './archive/source-file.ts'
import { isExcluded } from './exclusions.ts'
import type { Place } from './places.ts'
import { sniff } from './sniff.ts'
import type { IgnoredFile, KnownFile } from './store.ts'
import { type ClientFile, isSame, walk } from './walk.ts'

export interface ScanInput {
  places: Place[]
  known: KnownFile[]
  /** Files that were looked into and are none of a session's. */
  ignored: IgnoredFile[]
  cleanupPeriodDays: number
  /** Working directories that the user leaves out. */
  excluded: string[]
  followLinks: boolean
  now: number
}

const DAY_MS = 24 * 3600_000
const AT_RISK_DAYS = 7

interface Session {
  bytes: number
  /** The client's clean-up goes by the age of the transcript file. */
  mtimeMs: number
  isArchived: boolean
  /** Claude Code deletes its transcripts after a while; what other agents do with theirs is not known. */
  isCleanedUp: boolean
  project: Project | null
}

interface Project {
  cwd: string | null
  leftOut: boolean
  sessions: Set<string>
  bytes: number
  lastUsed: number
}

/** What is on this machine; reads facts of files, of rollouts their front. Synchronous, for a worker thread. */
export function scan(input: ScanInput): Scan {
  const started = performance.now()
  const known = new Map(input.known.map((file) => [file.path, file]))
  const ignored = new Map(input.ignored.map((file) => [file.path, file]))
  const sessions = new Map<string, Session>()
  const byProject = projectsOf(input.excluded)
  const within = input.places.flatMap(({ path: place }) => (fs.existsSync(place) ? [fs.realpathSync(place)] : []))
  const places = input.places.map(({ agent, path: place }) => {
    const found = (() => {
      try {
        return walk(place, { within, followLinks: input.followLinks, isFound: false })
      } catch {
        return { files: [], errors: [] } // a place that is not there has nothing
      }
    })()
    const here = new Set<string>()
    const projects = new Set<string>()
    let bytes = 0
    let lastUsed = 0
    for (const file of found.files) {
      bytes += agent === 'opencode' ? 0 : file.stats.size
      const before = known.get(file.path)
      const id = agent === AGENT ? (file.sessionId ?? before?.sessionId) : (before?.sessionId ?? file.sessionId ?? file.path)
      // A sub-agent file beside the transcripts tells its session only when it is read; empty files tell nothing.
      if (id === undefined || file.stats.size === 0 || isSame(file, ignored.get(file.path))) continue
      const session = sessions.get(`${agent} ${id}`) ?? {
        bytes: 0,
        mtimeMs: 0,
        isArchived: true,
        isCleanedUp: agent === AGENT,
        project: null,
      }
      sessions.set(`${agent} ${id}`, session)
      session.bytes += file.stats.size
      session.isArchived &&= before !== undefined && hasAll(before, file)
      if (file.kind !== 'main') continue
      here.add(id)
      const project = projectOf(agent, file)
      projects.add(project)
      session.project = byProject.add(`${agent} ${id}`, project, agent, file)
      session.mtimeMs = Math.max(session.mtimeMs, file.stats.mtimeMs)
      lastUsed = Math.max(lastUsed, file.stats.mtimeMs)
    }
    if (agent === 'opencode') bytes = fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0
    return {
      agent,
      path: place,
      sessions: here.size,
      projects: projects.size,
      bytes,
      lastUsedAt: lastUsed > 0 ? new Date(lastUsed).toISOString() : null,
      unreadable: found.errors.length,
    }
  })
  const all = [...sessions.values()].filter(({ mtimeMs }) => mtimeMs > 0)
  for (const { project, bytes } of all) if (project) project.bytes += bytes
  const wanted = all.filter(({ project }) => project?.leftOut !== true)
  const mortal = all.filter(({ isCleanedUp }) => isCleanedUp)
  const dies = ({ mtimeMs }: Session) => mtimeMs + input.cleanupPeriodDays * DAY_MS
  return {
    places,
    byProject: byProject.list(),
    sessions: all.length,
    projects: places.reduce((sum, { projects }) => sum + projects, 0),
    bytes: places.reduce((sum, { bytes }) => sum + bytes, 0),
    notArchived: wanted.filter(({ isArchived }) => !isArchived).length,
    cleanupPeriodDays: input.cleanupPeriodDays,
    nextCleanup: nextCleanup(mortal.map(dies), input.now),
    atRisk: mortal.filter(
      (session) => session.project?.leftOut !== true && !session.isArchived && dies(session) <= input.now + AT_RISK_DAYS * DAY_MS,
    ).length,
    ms: performance.now() - started,
  }
}

/** Sessions by working directory. Of a folder that an agent keeps for a project one transcript is asked for it. */
function projectsOf(excluded: readonly string[]) {
  const cwds = new Map<string, string | null>()
  const projects = new Map<string | null, Project>()
  return {
    add(session: string, folder: string, agent: Place['agent'], file: ClientFile): Project {
      const key = `${agent} ${folder}`
      if (!cwds.has(key)) cwds.set(key, agent === 'codex' || file.told ? folder || null : cwdOf(file.path))
      const cwd = cwds.get(key)!
      const known = projects.get(cwd)
      const project = known ?? {
        cwd,
        leftOut: cwd !== null && isExcluded(cwd, excluded),
        sessions: new Set<string>(),
        bytes: 0,
        lastUsed: 0,
      }
      if (!known) projects.set(cwd, project)
      project.sessions.add(session)
      project.lastUsed = Math.max(project.lastUsed, file.stats.mtimeMs)
      return project
    },
    list: (): Scan['byProject'] =>
      [...projects.values()]
        .toSorted((a, b) => b.lastUsed - a.lastUsed)
        .map(({ cwd, leftOut, sessions, bytes, lastUsed }) => ({
          cwd,
          sessions: sessions.size,
          bytes,
          lastUsedAt: lastUsed > 0 ? new Date(lastUsed).toISOString() : null,
          leftOut,
        })),
  }
}

function cwdOf(file: string): string | null {
  try {
    return sniff(file).cwd
  } catch {
    return null // gone or not readable: said when it is imported
  }
}

/** Claude Code and Gemini keep a folder a project. OpenCode's rows name the folder, and so does the front of a rollout. */
function projectOf(agent: Place['agent'], file: ClientFile): string {
  if (file.told) return file.told.cwd ?? ''
  return agent === 'codex' ? (rolloutFolder(file) ?? '') : path.dirname(file.path)
}

/** `cwd` stands in the first 4 KB of a rollout, before the instructions. A compressed one is not unpacked for this. */
function rolloutFolder({ path: file, form }: ClientFile): string | null {
  if (form !== undefined) return null
  try {
    const fd = openSource(file)
    try {
      const front = Buffer.alloc(4096)
      return /"cwd":"((?:[^"\\\\]|\\\\.)*)"/.exec(front.toString('utf8', 0, fs.readSync(fd, front)))?.[1] ?? null
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return null // gone or not readable: said when it is imported
  }
}

/** Of lines in another form (rows, compressed) sizes cannot be compared: there the file's facts are. */
function hasAll(before: KnownFile, { form, stats }: ClientFile): boolean {
  return form === undefined ? before.bytes >= stats.size : before.size === stats.size && before.mtimeMs === stats.mtimeMs
}

/**
 * The client sweeps when a session starts, so everything past its time goes at once. A time in the past means "at
 * the next start"; one to come is told with all sessions whose time comes within the day after it.
 */
export function nextCleanup(deaths: number[], now: number): Scan['nextCleanup'] {
  if (deaths.length === 0) return null
  const at = deaths.reduce((first, death) => Math.min(first, death), Infinity)
  const until = at <= now ? now : at + DAY_MS
  return { at: new Date(at).toISOString(), sessions: deaths.filter((death) => death <= until).length }
}
