import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { traceId } from './identity.ts'
import type { Intake } from './intake.ts'

/** Growth of one session is imported at most 4 times a second. */
const MIN_INTERVAL_MS = 250

interface Entry {
  paths: Set<string>
  onlyTraceId: string | undefined
  timer: NodeJS.Timeout | null
  isRunning: boolean
  lastRun: number
  /** Resolve functions of callers whose files the next run reads. */
  waiters: (() => void)[]
}

export interface Live {
  /**
   * Call when a transcript or a file in a session's folder has changed. It is imported at once, then at most 4 times
   * a second. Resolves when its rows are written or `onError` was called.
   */
  touch(file: string): Promise<void>
  drain(): Promise<void>
  close(): void
}

export interface LiveOptions {
  agent: Agent
  intake: Intake
  onImported: (sessionFile: string, grown: boolean) => void
  onError: (file: string, error: unknown) => void
}

export function createLive({ agent, intake, onImported, onError }: LiveOptions): Live {
  const entries = new Map<string, Entry>()
  const running = new Set<Promise<void>>()
  let closed = false

  const run = async (key: string, entry: Entry) => {
    const paths = [...entry.paths].filter((file) => fs.existsSync(file))
    entry.paths.clear()
    const waiters = entry.waiters.splice(0)
    entry.isRunning = true
    entry.lastRun = performance.now()
    try {
      const scope = entry.onlyTraceId === undefined ? {} : { onlyTraceId: entry.onlyTraceId }
      const result =
        paths.length > 0
          ? await intake.importFiles({ agent, paths, reason: 'live', lane: 'live', jobId: null, isAutomatic: true, ...scope })
          : null
      if (entry.onlyTraceId !== undefined) await intake.derivePending({ reason: 'live', onlyTraceId: entry.onlyTraceId })
      for (const error of result?.errors ?? []) onError(error.file, new Error(error.message))
      onImported(key, (result?.bytes ?? 0) > 0)
    } catch (error) {
      onError(key, error)
    } finally {
      entry.isRunning = false
      for (const resolve of waiters) resolve()
      if (entry.paths.size > 0) schedule(key, entry)
      else if (entries.size > 1000) entries.delete(key)
    }
  }

  const schedule = (key: string, entry: Entry) => {
    if (closed || entry.timer || entry.isRunning) return
    const start = () => {
      entry.timer = null
      const work = run(key, entry)
      running.add(work)
      void work.finally(() => running.delete(work))
    }
    const waitMs = entry.lastRun + MIN_INTERVAL_MS - performance.now()
    if (waitMs <= 0) start()
    else entry.timer = setTimeout(start, waitMs)
  }

  return {
    touch(file) {
      const sessionFile = sessionFileOf(file)
      let entry = entries.get(sessionFile)
      if (!entry) {
        entry = {
          paths: new Set(),
          onlyTraceId: traceIdOf(agent, sessionFile),
          timer: null,
          isRunning: false,
          lastRun: -Infinity,
          waiters: [],
        }
        entries.set(sessionFile, entry)
      }
      entry.paths.add(sessionFile).add(sessionFile.slice(0, -'.jsonl'.length))
      const { promise, resolve } = Promise.withResolvers<void>()
      entry.waiters.push(resolve)
      schedule(sessionFile, entry)
      return promise
    },
    async drain() {
      while (running.size > 0 || [...entries.values()].some(({ timer }) => timer)) {
        for (const [key, entry] of entries) {
          if (!entry.timer) continue
          clearTimeout(entry.timer)
          entry.timer = null
          entry.lastRun = -Infinity
          schedule(key, entry)
        }
        await Promise.all(running)
      }
    },
    close() {
      closed = true
      for (const { timer } of entries.values()) if (timer) clearTimeout(timer)
    },
  }
}

/** The transcript `<project>/<session>.jsonl` of a file in that session's folder; for a transcript, the same path. */
export function sessionFileOf(file: string): string {
  const parts = file.split(path.sep)
  for (let index = parts.length - 1; index > 1; index -= 1) {
    if (parts[index] === 'subagents' || parts[index] === 'tool-results') return `${parts.slice(0, index).join(path.sep)}.jsonl`
  }
  return file
}

/** The trace by the transcript's name; undefined for a sub-agent's file next to the transcripts. */
function traceIdOf(agent: Agent, file: string): string | undefined {
  const stem = path.basename(file, '.jsonl')
  return stem.startsWith('agent-') ? undefined : traceId(agent, stem)
}
