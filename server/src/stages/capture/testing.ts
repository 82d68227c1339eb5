import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ImportResult } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { openCore, type TestCore, resultOf } from '#server/testing/core.ts'
import { chunks, currentSources, readManifest } from './archive/reader.ts'
import { traceId } from './identity.ts'
import { createCapture } from './index.ts'
import type { CaptureDeps } from './service.ts'
import type { ArchiveChange, SessionSignal } from './types.ts'

/** For tests: a capture stage on a real core, in a temporary user home, whose derive step only counts lines. */
export interface Bench {
  root: string
  projects: string
  core: TestCore
  capture: ReturnType<typeof createCapture>
  changes: ArchiveChange[]
  signals: SessionSignal[]
  /** Resolves to the first matching change, once it is forwarded. */
  changed(matches: (change: ArchiveChange) => boolean): Promise<ArchiveChange>
  /** Runs an import to its end. */
  import(paths?: string[]): Promise<ImportResult>
  finish(job: Job): Promise<ImportResult>
  archived(sessionId: string, kind?: string): Buffer
  close(): Promise<void>
}

export function openBench(
  over: Partial<CaptureDeps> & { root?: string; dataDir?: string; samplesDir?: string; askBeforeImport?: boolean } = {},
): Bench {
  const {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-capture-')),
    dataDir = path.join(root, 'home'),
    samplesDir,
    askBeforeImport = false,
    ...deps
  } = over
  const claude = path.join(root, '.claude')
  const projects = path.join(claude, 'projects')
  const core = openCore({ dataDir, keep: true, env: { HOME: root, CLAUDE_CONFIG_DIR: claude }, workers: { bulk: 2, live: 1, query: 1 } })
  core.config = { ...core.config, askBeforeImport, ...(samplesDir !== undefined && { samplesDir }) }
  const changes: ArchiveChange[] = []
  const signals: SessionSignal[] = []
  const waiting: { matches: (change: ArchiveChange) => boolean; resolve: (change: ArchiveChange) => void }[] = []
  const capture = createCapture(core, {
    onArchived: (change) => {
      changes.push(change)
      for (const { matches, resolve } of waiting) if (matches(change)) resolve(change)
      return Promise.resolve({ records: countLines(change.traceDir), steps: 0, errors: [] })
    },
    onSignal: (signal) => signals.push(signal),
    ...deps,
  })
  const finish = (job: Job) => resultOf<ImportResult>(core, job)
  return {
    root,
    projects,
    core,
    capture,
    changes,
    signals,
    changed: (matches) => {
      const found = changes.find(matches)
      if (found) return Promise.resolve(found)
      return new Promise((resolve) => waiting.push({ matches, resolve }))
    },
    import: (paths) => finish(capture.startImport(paths ? { paths } : {})),
    finish,
    archived(sessionId, kind = 'main') {
      const traceDir = path.join(core.paths.archive, 'claude-code', traceId('claude-code', sessionId))
      const source = currentSources(readManifest(traceDir)).find((candidate) => candidate.kind === kind)
      return source ? Buffer.concat([...chunks(source)]) : Buffer.alloc(0)
    },
    async close() {
      await core.jobs.close()
      await capture.close()
      await core.close()
      if (over.root === undefined) fs.rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A transcript line with the fields that capture reads. */
export const record = (sessionId: string, text: string, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: randomUUID(),
    sessionId,
    cwd: '/home/dev/project',
    timestamp: '2026-11-21T10:00:00.000Z',
    message: { role: 'user', content: text },
    ...more,
  })}\n`

/** Writes a session's transcript under a project and returns its path. */
export function writeSession(
  projects: string,
  options: { sessionId?: string; project?: string; text?: string; more?: Record<string, unknown> } = {},
): { file: string; sessionId: string } {
  const { sessionId = randomUUID(), project = '-home-dev-project', text = 'hello', more } = options
  const folder = path.join(projects, project)
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${sessionId}.jsonl`)
  fs.writeFileSync(file, record(sessionId, text, more))
  return { file, sessionId }
}

function countLines(traceDir: string): number {
  let lines = 0
  for (const source of currentSources(readManifest(traceDir))) {
    for (const raw of chunks(source)) for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) lines += 1
  }
  return lines
}
