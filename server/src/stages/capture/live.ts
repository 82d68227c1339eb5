import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { traceId } from './identity.ts'
import type { Intake } from './intake.ts'

/** Growth of one session is imported at most 4 times a second. */
const LEAST_MS_BETWEEN = 250

interface Entry {
  paths: Set<string>
  only: string | undefined
  timer: NodeJS.Timeout | null
  isRunning: boolean
  lastRun: number
  /** Resolved when the next run, which reads their files, ends. */
  waiting: (() => void)[]
}

export interface Live {
  /**
   * A transcript or a file in a session's folder has changed. Imported at once, then at most 4 times a second.
   * Resolves when its rows are written, or `onFault` was called.
   */
  touch(file: string): Promise<void>
  drain(): Promise<void>
  close(): void
}

export interface LiveOptions {
  agent: Agent
  intake: Intake
  onTaken: (sessionFile: string, grown: boolean) => void
  onFault: (file: string, error: unknown) => void
}

export function createLive({ agent, intake, onTaken, onFault }: LiveOptions): Live {
  const entries = new Map<string, Entry>()
  const running = new Set<Promise<void>>()
  let closed = false

  const run = async (key: string, entry: Entry) => {
    const paths = [...entry.paths].filter((file) => fs.existsSync(file))
    entry.paths.clear()
    const waiting = entry.waiting.splice(0)
    entry.isRunning = true
    entry.lastRun = performance.now()
    try {
      const scope = entry.only === undefined ? {} : { only: entry.only }
      const result =
        paths.length > 0
          ? await intake.importFiles({ agent, paths, reason: 'live', lane: 'live', jobId: null, found: true, ...scope })
          : null
      if (entry.only !== undefined) await intake.derivePending({ reason: 'live', only: entry.only })
      for (const error of result?.errors ?? []) onFault(error.file, new Error(error.message))
      onTaken(key, (result?.bytes ?? 0) > 0)
    } catch (error) {
      onFault(key, error)
    } finally {
      entry.isRunning = false
      for (const resolve of waiting) resolve()
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
    const wait = entry.lastRun + LEAST_MS_BETWEEN - performance.now()
    if (wait <= 0) start()
    else entry.timer = setTimeout(start, wait)
  }

  return {
    touch(file) {
      const main = sessionFileOf(file)
      let entry = entries.get(main)
      if (!entry) {
        entry = { paths: new Set(), only: scopeOf(agent, main), timer: null, isRunning: false, lastRun: -Infinity, waiting: [] }
        entries.set(main, entry)
      }
      entry.paths.add(main).add(main.slice(0, -'.jsonl'.length))
      const { promise, resolve } = Promise.withResolvers<void>()
      entry.waiting.push(resolve)
      schedule(main, entry)
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

/** `<project>/<session>.jsonl` for any file of that session's folder; a transcript is itself. */
export function sessionFileOf(file: string): string {
  const parts = file.split(path.sep)
  for (let index = parts.length - 1; index > 1; index -= 1) {
    if (parts[index] === 'subagents' || parts[index] === 'tool-results') return `${parts.slice(0, index).join(path.sep)}.jsonl`
  }
  return file
}

/** The trace from a file's name; unknown for a sub-agent file next to the transcripts. */
function scopeOf(agent: Agent, file: string): string | undefined {
  const stem = path.basename(file, '.jsonl')
  return stem.startsWith('agent-') ? undefined : traceId(agent, stem)
}
