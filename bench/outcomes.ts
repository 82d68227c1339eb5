import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createGit } from '#server/adapters/git/index.ts'
import { createOutcomes } from '#server/stages/outcomes/service.ts'
import { openCore } from '#server/testing/core.ts'
import { report } from './support/report.ts'

/**
 * What happened after 200 sessions with one commit each, in a repository of 50,000 commits: how long it takes, and how long the longest
 * pause of the server is meanwhile.
 *
 *     npm run bench -- outcomes
 */
const COMMITS = 50_000
const SESSIONS = 200
const PAUSE_MS = 100
const START = Date.parse('2026-01-01T00:00:00Z')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-'))
const git = (args: string[], input?: string) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, ...(input !== undefined && { input }) })
git(['init', '-q', '-b', 'main'])
const commitOf = (no: number) => {
  const subject = no % 10 === 0 ? `fix part ${no % 500}` : `add part ${no}`
  return `commit refs/heads/main\ncommitter Ada <ada@example.com> ${START / 1000 + 60 * no} +0000\ndata <<E\n${subject}\nE\nM 100644 inline src/part-${no % 500}.ts\ndata <<E\n${no}\nE\n\n`
}
git(['fast-import', '--quiet'], Array.from({ length: COMMITS }, (_, no) => commitOf(no)).join(''))
const hashes = git(['rev-list', '--reverse', 'main']).trim().split('\n')

const core = openCore({ now: () => START + 400 * 86_400_000 })
const session = (no: number) => {
  const at = Math.floor((no * COMMITS) / SESSIONS)
  const id = String(no).padStart(26, 'a')
  const commits = JSON.stringify([{ sha: hashes[at]!.slice(0, 10), stepId: 's', at: START + 60_000 * at }])
  return {
    id,
    cwd: folder,
    endedAt: START + 60_000 * at,
    verification: 'passed' as const,
    commits,
    prompt: null,
    nextId: null,
    nextAt: null,
    nextPrompt: null,
  }
}
const sessions = Array.from({ length: SESSIONS }, (_, no) => session(no))
const outcomes = createOutcomes(core, {
  lists: { ends: async () => sessions, ids: async () => [] },
  git: createGit({ path: process.env['PATH']!, userHome: folder }),
})
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const started = performance.now()
const found = await outcomes.lookUp([], 14, { signal: new AbortController().signal, progress: () => undefined })
const ms = performance.now() - started
delay.disable()
const pauseMs = delay.max / 1e6
report(
  'outcomes',
  [
    { what: `${found.traces} sessions, ${COMMITS} commits`, figure: `${ms.toFixed(0)} ms`, limit: '', met: null },
    { what: 'longest pause of the server', figure: `${pauseMs.toFixed(0)} ms`, limit: `≤ ${PAUSE_MS} ms`, met: pauseMs <= PAUSE_MS },
  ],
  { ms, pauseMs, labels: found.labels },
)
await core.close()
fs.rmSync(folder, { recursive: true, force: true })
