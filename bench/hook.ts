// Time that the hook adds to one tool call, compared with `sh -c true` and with hooks in Python and Node in one run; and
// 64 hooks at once, to check that none is lost. `node bench/hook.ts` prints the table and writes results/hook.json.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { commandFor, quote, scriptFor } from '#server/stages/capture/hooks/hook-command.ts'

const ROUNDS = 300
const SLOW_ROUNDS = 60
const MAX_TIMES_SH = 2.5
const MAX_P95_MS = 10
/** A PostToolUse event of a Bash call with two kilobytes of output. */
const PAYLOAD = `${JSON.stringify({
  session_id: '00000000-0000-4000-8000-000000000000',
  transcript_path: '/nowhere/00000000-0000-4000-8000-000000000000.jsonl',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_response: { stdout: 'ok 1 - adds\n'.repeat(170), stderr: '', interrupted: false },
  tool_use_id: 'toolu_00',
})}\n`

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-'))
const peers = path.join(import.meta.dirname, 'support', 'hook-peers')

/** A data directory with the hook installed and `waiting` files in its spool. */
function makeDataDir(name: string, waiting = 0): { dataDir: string; spool: string; command: string } {
  const dataDir = path.join(root, name)
  const spool = path.join(dataDir, 'spool')
  fs.mkdirSync(spool, { recursive: true })
  const source = fs.readFileSync(path.join(import.meta.dirname, '..', 'hooks', 'bashgym-hook.sh'), 'utf8')
  fs.writeFileSync(path.join(dataDir, 'hook'), scriptFor(source, dataDir), { mode: 0o700 })
  for (let index = 0; index < waiting; index += 1) fs.writeFileSync(path.join(spool, `w${index}.1`), PAYLOAD)
  return { dataDir, spool, command: commandFor(path.join(dataDir, 'hook')) }
}

/** The wall time of one command line, run as Claude Code runs a hook, ms. */
async function time(command: string, dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn('sh', ['-c', command], { env: { PATH: process.env['PATH'] ?? '', BASHGYM_HOME: dataDir, CLAUDE_PID: '1' } })
  child.stdin.on('error', () => undefined) // `true` does not read
  child.stdin.end(PAYLOAD)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return performance.now() - started
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

async function startReader(dataDir: string) {
  const worker = new Worker(new URL('./support/spool-reader.ts', import.meta.url), { workerData: { dataDir } })
  await once(worker, 'message')
  return {
    async count() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage('count')
      const [answer] = (await once(worker, 'message')) as [{ stored: number; problems: number; left: number }]
      return answer
    },
    stop: () => worker.terminate(),
  }
}

const near = makeDataDir('near empty')
const half = makeDataDir('half full', 1000)
const full = makeDataDir('full', 2000)
const read = makeDataDir('being read')
const peer = makeDataDir('peers')
// Uses the interpreter itself, because a version manager's wrapper would take longer than the hook.
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim()
const reader = await startReader(read.dataDir)

interface Subject {
  name: string
  command: string
  dataDir: string
  rounds: number
  /** Resets the spool to the state in the name. */
  reset?: () => void
}
const emptied = (spool: string, keep: (name: string) => boolean) => () => {
  for (const name of fs.readdirSync(spool)) if (!keep(name)) fs.rmSync(path.join(spool, name), { force: true })
}
const none = () => false
const subjects: Subject[] = [
  { name: 'sh -c true', command: 'true', dataDir: near.dataDir, rounds: ROUNDS },
  {
    name: 'hook, app off, spool near empty',
    command: near.command,
    dataDir: near.dataDir,
    rounds: ROUNDS,
    reset: emptied(near.spool, none),
  },
  { name: 'hook, app on (spool being read)', command: read.command, dataDir: read.dataDir, rounds: ROUNDS },
  {
    name: 'hook, app off, 1,000 files waiting',
    command: half.command,
    dataDir: half.dataDir,
    rounds: ROUNDS,
    reset: emptied(half.spool, (name) => name.startsWith('w')),
  },
  { name: 'hook, app off, spool full (doorbell)', command: full.command, dataDir: full.dataDir, rounds: ROUNDS },
  ...(python
    ? [
        {
          name: 'the same in Python',
          command: `${quote(python)} -I -S ${quote(path.join(peers, 'hook.py'))}`,
          dataDir: peer.dataDir,
          rounds: SLOW_ROUNDS,
          reset: emptied(peer.spool, none),
        },
      ]
    : []),
  {
    name: 'the same in Node',
    command: `${quote(process.execPath)} ${quote(path.join(peers, 'hook.mjs'))}`,
    dataDir: peer.dataDir,
    rounds: SLOW_ROUNDS,
    reset: emptied(peer.spool, none),
  },
]

// Alternate the subjects in rounds, so that other work on the machine affects all of them equally.
const times = subjects.map((): number[] => [])
for (const { command, dataDir } of subjects) await time(command, dataDir) // warm up the page cache
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, { command, dataDir, rounds, reset }] of subjects.entries()) {
    if (round >= rounds) continue
    if (round % 20 === 0) reset?.()
    times[index]!.push(await time(command, dataDir))
  }
}
for (const list of times) list.sort((a, b) => a - b)
const base = quantile(times[0]!, 0.5)
const rows = subjects.map(({ name }, index) => {
  const [p50, p95] = [quantile(times[index]!, 0.5), quantile(times[index]!, 0.95)]
  return { name, calls: times[index]!.length, p50Ms: round2(p50), p95Ms: round2(p95), timesSh: round2(p50 / base) }
})

const PARALLEL = 64
const crowd = makeDataDir('crowd')
await Promise.all(Array.from({ length: PARALLEL }, () => time(crowd.command, crowd.dataDir)))
const whole = fs
  .readdirSync(crowd.spool)
  .filter((name) => fs.readFileSync(path.join(crowd.spool, name), 'utf8').trim() === PAYLOAD.trim()).length
const before = (await settled()).stored
await Promise.all(Array.from({ length: PARALLEL }, () => time(read.command, read.dataDir)))
const after = await settled()
const lost = { appOff: PARALLEL - whole, appOn: PARALLEL - (after.stored - before), unreadable: after.problems }
await reader.stop()
fs.rmSync(root, { recursive: true, force: true })

/** Waits until the reader has read everything. */
async function settled() {
  for (;;) {
    const answer = await reader.count()
    if (answer.left === 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
function round2(value: number): number {
  return Math.round(value * 100) / 100
}

const hook = rows.filter(({ name }) => name.startsWith('hook'))
const result = {
  at: new Date().toISOString(),
  machine: {
    cpus: os.availableParallelism(),
    model: os.cpus()[0]?.model ?? null,
    platform: `${os.platform()} ${os.release()}`,
    node: process.version,
  },
  budget: { timesSh: MAX_TIMES_SH, p95Ms: MAX_P95_MS },
  rows,
  parallel: { hooks: PARALLEL, lost },
  missed: hook.filter(({ timesSh, p95Ms }) => timesSh > MAX_TIMES_SH || p95Ms > MAX_P95_MS).map(({ name }) => name),
}
const out = path.join(import.meta.dirname, 'results', 'hook.json')
fs.mkdirSync(path.dirname(out), { recursive: true })
fs.writeFileSync(out, `${JSON.stringify(result, null, 2)}\n`)
console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
console.log(`${PARALLEL} hooks at once: ${lost.appOff} lost with the app off, ${lost.appOn} with the app on`)
console.log(`budget: ${MAX_TIMES_SH} x sh, p95 ${MAX_P95_MS} ms; missed: ${result.missed.join(', ') || 'none'}`)
if (lost.appOff + lost.appOn > 0) process.exitCode = 1
