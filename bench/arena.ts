import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { SandboxBackend } from '#contracts/entities/sandbox.ts'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { descendantsOf } from '#server/process/marks.ts'
import { bareBwrap, bareBwrapOnce, plainBash, plainDocker } from './support/arena-peers.ts'
import { startMeasured } from './support/measured.ts'
import { percentile, report, type Row } from './support/report.ts'

/**
 * Compares sandboxes of the service with the bare engine, alternately in one run: starts, commands, whole lives, a hundred
 * at once, long output, memory. Docker is measured if an Engine with an image answers (DOCKER_HOST). Other work on the
 * machine can only add time, so the best round of each side counts.
 *
 *     npm run bench -- arena [--small]
 */
const isSmall = process.argv.includes('--small')
const ROUNDS = isSmall ? 1 : 3
const RUNS = { start: 60, exec: 400, standalone: 60, burst: 40, shells: isSmall ? 20 : 100 }
const LIVES = [[5, 3], [10, 5], [20, 8], [30, 10]] as const // prettier-ignore
const AT_ONCE = 4
const MB = 1024 * 1024

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-arena-'))
const env = { HOME: folder, PATH: process.env['PATH'], DOCKER_HOST: process.env['DOCKER_HOST'] }
const app = await createApp(loadConfig({ dataDir: path.join(folder, 'here') }, env), { kind: 'command' })
const client = inProcessClient(app)

type Spec = { backend: SandboxBackend; image: string; tty?: boolean }
const allow = (running: number) => client.patchSettings({ body: { arena: { running } } })
const start = async (spec: Spec) => {
  const { id } = await client.createSandbox({ body: { ...spec } })
  await client.startSandbox({ params: { id } })
  return id
}
const exec = async (id: string, command: string, more: object = {}) => {
  const { output, exitCode } = await client.execInSandbox({ params: { id }, body: { command, ...more } })
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${output.slice(-500)}`)
  return output
}
const remove = (id: string) => client.stopSandbox({ params: { id }, body: { remove: true } })
const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
/** Times of each run of `work`. A function that `work` returns is called afterwards and is not timed. */
const times = async (runs: number, work: () => Promise<unknown>) => {
  const all: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now()
    const undo = await work()
    all.push(performance.now() - began)
    if (typeof undo === 'function') await (undo as () => Promise<unknown>)()
  }
  return all
}
/** Runs `work` `total` times, `atOnce` in parallel, and returns the number per second. */
const rate = async (total: number, atOnce: number, work: () => Promise<unknown>) => {
  let left = total
  const lane = async () => {
    while (left-- > 0) await work()
  }
  return total / ((await timed(() => Promise.all(Array.from({ length: atOnce }, lane)))) / 1000)
}
const figures = (all: readonly number[]) => ({ p50: percentile(all, 0.5), p99: percentile(all, 0.99) })
type Figures = ReturnType<typeof figures>
/** Measures both sides alternately for a few rounds and returns the round with the lowest median for each. */
async function versus(ours: () => Promise<number[]>, theirs: () => Promise<number[]>): Promise<{ ours: Figures; theirs: Figures }> {
  const rounds: { ours: Figures; theirs: Figures }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ theirs: figures(await theirs()), ours: figures(await ours()) })
  const best = (side: 'ours' | 'theirs') => rounds.map((round) => round[side]).toSorted((a, b) => a.p50 - b.p50)[0]!
  return { ours: best('ours'), theirs: best('theirs') }
}
async function ratesOf(ours: () => Promise<number>, theirs: () => Promise<number>): Promise<{ ours: number; theirs: number }> {
  const rounds: { ours: number; theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ theirs: await theirs(), ours: await ours() })
  return { ours: Math.max(...rounds.map(({ ours: rate }) => rate)), theirs: Math.max(...rounds.map(({ theirs: rate }) => rate)) }
}

const rows: Row[] = []
const data: Record<string, unknown> = {}
const ms = ({ p50, p99 }: Figures) => `${p50.toFixed(2)} / ${p99.toFixed(2)} ms`
/** Adds latencies with their limits: in ms, and as a multiple of the bare engine. */
function addLatency(
  what: string,
  { ours, theirs }: { ours: Figures; theirs: Figures },
  most: { p50: number; p99: number; ratio: number | null },
) {
  data[what] = { ours, theirs }
  rows.push({ what: `${what}, p50 / p99`, figure: ms(ours), limit: `≤ ${most.p50} / ${most.p99} ms`, met: ours.p50 <= most.p50 && ours.p99 <= most.p99 }) // prettier-ignore
  const ratio = ours.p50 / theirs.p50
  rows.push({ what: `  by itself ${ms(theirs)}; times that`, figure: ratio.toFixed(2), limit: most.ratio === null ? '–' : `≤ ${most.ratio}`, met: most.ratio === null ? null : ratio <= most.ratio }) // prettier-ignore
}
function addRate(what: string, { ours, theirs }: { ours: number; theirs: number }, least: number) {
  data[what] = { ours, theirs }
  const ratio = ours / theirs
  rows.push({ what: `${what} (by itself ${theirs.toFixed(1)})`, figure: `${ours.toFixed(1)}, ${ratio.toFixed(2)} times`, limit: `≥ ${least} times`, met: ratio >= least }) // prettier-ignore
}
const addRow = (what: string, figure: string, limit = '–', met: boolean | null = null) => rows.push({ what, figure, limit, met })

/** Proportional set size of these processes: private bytes plus their share of shared bytes. */
const proportional = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + 1024 * Number(/^Pss:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]), 0)

const answered = async (spec: Spec) => {
  const id = await start(spec)
  await exec(id, 'echo x')
  return () => remove(id)
}
const life = async (spec: Spec) => (await answered(spec))()
const lives = async (spec: Spec, sandboxes: number, permits: number) => {
  await allow(permits)
  return rate(sandboxes, sandboxes, () => life(spec))
}
/** Measures only the starts; everything is removed afterwards. */
const burst = async (begin: () => Promise<() => Promise<unknown>>) => {
  const undo: (() => Promise<unknown>)[] = []
  const perSecond = await rate(RUNS.burst, AT_ONCE, async () => void undo.push(await begin()))
  await Promise.all(undo.map((one) => one()))
  return perSecond
}

const { backends } = await client.getSandboxLimits()
const imageOf = (name: SandboxBackend) => backends.find((one) => one.name === name && one.available)?.images[0]

async function measureBubblewrap(spec: Spec): Promise<void> {
  await allow(200)
  const bare = async () => {
    const shell = bareBwrap()
    await shell.echo()
    return () => shell.end()
  }
  addLatency('start until the first answer', await versus(() => times(RUNS.start, () => answered(spec)), () => times(RUNS.start, bare)), { p50: 8, p99: 20, ratio: 2 }) // prettier-ignore

  const bash = plainBash()
  for (const tty of [true, false]) {
    const id = await start({ ...spec, tty })
    const ours = () => times(RUNS.exec, () => exec(id, 'echo x'))
    addLatency(`command, ${tty ? 'terminal' : 'pipes'}`, await versus(ours, () => times(RUNS.exec, () => bash.echo())), { p50: 0.5, p99: 2, ratio: 6 }) // prettier-ignore
    await remove(id)
  }
  addLatency('command over HTTP', await overHttp(spec, () => times(RUNS.exec, () => bash.echo())), { p50: 3, p99: 8, ratio: null })
  await bash.end()

  const id = await start(spec)
  const alone = () => times(RUNS.standalone, () => exec(id, 'echo x', { standalone: true }))
  addLatency('standalone command', await versus(alone, () => times(RUNS.standalone, bareBwrapOnce)), { p50: 8, p99: 20, ratio: null })
  const flood = Math.min(...(await times(ROUNDS, () => exec(id, 'head -c 10000000 /dev/zero | tr "\\0" x'))))
  addRow('10 MB of output', `${flood.toFixed(0)} ms`)
  const long = Math.min(...(await times(ROUNDS, () => exec(id, `: ${'x'.repeat(200_000)}`))))
  addRow('a command of 200 kB', `${long.toFixed(0)} ms`)
  await remove(id)

  addRate(`starts a second, ${AT_ONCE} at once`, await ratesOf(() => burst(() => answered(spec)), () => burst(bare)), 0.6) // prettier-ignore
  for (const [sandboxes, permits] of LIVES) {
    const theirs = () => rate(sandboxes, permits, async () => (await bare())())
    addRate(`lives a second, ${sandboxes} sandboxes, ${permits} places`, await ratesOf(() => lives(spec, sandboxes, permits), theirs), 0.3)
  }
  await measureCrowd(spec)
}

/** Measures commands through a server in a separate process. */
async function overHttp(spec: Spec, theirs: () => Promise<number[]>) {
  const server = await startMeasured({ HOME: folder, BASHGYM_HOME: path.join(folder, 'there') })
  try {
    const { id } = await server.post<{ id: string }>('/api/sandboxes', spec)
    await server.post(`/api/sandboxes/${id}/start`)
    const ours = () => times(RUNS.exec, () => server.post(`/api/sandboxes/${id}/exec`, { command: 'echo x' }))
    return await versus(ours, theirs)
  } finally {
    await server.stop()
  }
}

/** Measures a command with many open shells: while the others wait, and while all are busy. */
async function measureCrowd(spec: Spec): Promise<void> {
  await allow(200)
  const echo = (id: string) => timed(() => exec(id, 'echo x'))
  const first = await start(spec)
  const single: number[] = []
  for (let run = 0; run < RUNS.exec; run += 1) single.push(await echo(first))
  const ids = [first]
  while (ids.length < RUNS.shells) ids.push(await start(spec))
  const bytes = proportional(descendantsOf(process.pid)) / ids.length
  const inTurn: number[] = []
  for (let round = 0; round < 4; round += 1) for (const id of ids) inTurn.push(await echo(id))
  let next = 0
  const perSecond = await rate(4 * ids.length, ids.length, () => echo(ids[next++ % ids.length]!))
  const [one, many] = [figures(single), figures(inTurn)]
  data['crowd'] = { shells: ids.length, one, many, perSecond, bytes }
  addRow(`command with 1 shell open, with ${ids.length}, p50`, `${one.p50.toFixed(2)}, ${many.p50.toFixed(2)} ms`, '≤ 3 times', many.p50 <= 3 * one.p50) // prettier-ignore
  addRow(`commands a second in ${ids.length} shells at once`, perSecond.toFixed(0))
  addRow('memory of a sandbox whose shell waits', `${(bytes / MB).toFixed(2)} MB`)
  await Promise.all(ids.map(remove))
}

async function measureDocker(spec: Spec): Promise<void> {
  await allow(200)
  const plain = plainDocker(spec.image)
  const few = isSmall ? 3 : 10
  addLatency('Docker: start until the first answer', await versus(() => times(few, () => answered(spec)), () => times(few, () => plain.start())), { p50: 75, p99: 150, ratio: 1.25 }) // prettier-ignore
  const bash = plainBash()
  const id = await start(spec)
  const ours = () => times(RUNS.exec, () => exec(id, 'echo x'))
  addLatency('Docker: command', await versus(ours, () => times(RUNS.exec, () => bash.echo())), { p50: 1, p99: 5, ratio: 6 })
  await bash.end()
  const alone = () => times(few, () => exec(id, 'echo x', { standalone: true }))
  const execed = await plain.open()
  addLatency('Docker: standalone command', await versus(alone, () => times(few, execed.exec)), { p50: 45, p99: 110, ratio: 1.3 })
  await execed.remove()
  await remove(id)
  for (const [sandboxes, permits] of LIVES)
    addRate(`Docker: lives a second, ${sandboxes} sandboxes, ${permits} places`, await ratesOf(() => lives(spec, sandboxes, permits), () => rate(sandboxes, permits, () => plain.fullLifeCycle())), 2.5) // prettier-ignore
}

try {
  const host = imageOf('bubblewrap')
  if (host === undefined) addRow('bubblewrap', 'not measured: it cannot be used here')
  else await measureBubblewrap({ backend: 'bubblewrap', image: host })
  const image = imageOf('docker')
  if (image === undefined) addRow('Docker', 'not measured: no Engine with an image answers')
  else await measureDocker({ backend: 'docker', image })
} finally {
  await app.close()
  fs.rmSync(folder, { recursive: true, force: true })
}
report('arena', rows, data)
