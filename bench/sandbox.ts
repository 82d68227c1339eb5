import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { openMachines, openSandboxes, runAlone } from '#server/adapters/sandbox/index.ts'
import { descendantsOf } from '#server/process/marks.ts'
import { percentile, report } from './support/report.ts'

/**
 * What the profile `strict` with limits, filter and control group adds to a bare bwrap with all namespaces: at most 8 ms
 * from the call to the answer, turn about in one run; and how many programs a second the worker's way of running gives.
 * Then a machine: from nothing to the first answer of its shell at most twice a bare bwrap with a shell, turn about in the
 * same run; and what its processes take of the memory while the shell waits.
 *
 *     npm run bench -- sandbox
 */
const ADDED_MS = 8
const RUNS = 200
const TIMES_BARE_SHELL = 2

const engine = await openSandboxes()
const bare =
  '--unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --die-with-parent'
const raw = () =>
  new Promise<void>((resolve, reject) => {
    const child = spawn('bwrap', [...bare.split(' '), '/usr/bin/true'], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`bwrap ended with ${code}`))))
  })
const strict = async () => {
  const { exitCode, stderr } = await runAlone(engine, { files: { 'x.py': '1' }, argv: ['/usr/bin/true'], timeoutMs: 10_000, memoryMb: 128 })
  if (exitCode !== 0) throw new Error(`The sandbox ended with ${exitCode}: ${stderr}`)
}
const timed = async (work: () => Promise<void>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const times: Record<'raw' | 'strict', number[]> = { raw: [], strict: [] }
for (let n = 0; n < RUNS; n += 1) {
  times.raw.push(await timed(raw))
  times.strict.push(await timed(strict))
}
const added = times.strict.map((ms, at) => ms - times.raw[at]!)
const lanes = 2
const together = await timed(async () => {
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let n = 0; n < RUNS / lanes; n += 1) await strict()
    }),
  )
})

const records = fs.mkdtempSync(path.join(os.tmpdir(), 'machines-'))
const machines = await openMachines(records)
const MB = 1024 * 1024
const limits = { memoryBytes: 512 * MB, cpus: 1, processes: 256, diskBytes: 1024 * MB, openFiles: 1024, fileBytes: 512 * MB }
const shell = ['/usr/bin/bash', '--norc', '--noprofile']
const answered = async (input: Writable, output: Readable) => {
  input.write('echo ready\n')
  await once(output, 'data')
}
/** Bytes that these processes do not share with others, and their part of those they do. */
const proportional = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + 1024 * Number(/^Pss:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]), 0)
const bareShell = async () => {
  const began = performance.now()
  const child = spawn('bwrap', [...bare.split(' '), ...shell], { stdio: ['pipe', 'pipe', 'ignore'] })
  await answered(child.stdin, child.stdout)
  const took = performance.now() - began
  child.stdin.end()
  await once(child, 'exit')
  return took
}
const memory: number[] = []
const machineShell = async () => {
  const began = performance.now()
  const machine = await machines.create({ id: 'bench', image: 'host', profile: 'machine', workdir: null, env: {}, network: 'none', limits, labels: {} }) // prettier-ignore
  const channel = await machine.open({ argv: shell, terminal: null })
  await answered(channel.input, channel.output)
  const took = performance.now() - began
  memory.push(proportional(descendantsOf(process.pid)))
  await machine.remove()
  return took
}
const shells: Record<'bare' | 'machine', number[]> = { bare: [], machine: [] }
for (let n = 0; n < RUNS; n += 1) {
  shells.bare.push(await bareShell())
  shells.machine.push(await machineShell())
}
fs.rmSync(records, { recursive: true })

const ms = (value: number) => `${value.toFixed(1)} ms`
const figures = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) })
const all = { raw: figures(times.raw), strict: figures(times.strict), added: figures(added), ratio: percentile(times.strict, 0.5) / percentile(times.raw, 0.5), perSecond: (RUNS / together) * 1000, isolation: engine.isolation, bareShell: figures(shells.bare), machineShell: figures(shells.machine), machineRatio: percentile(shells.machine, 0.5) / percentile(shells.bare, 0.5), machineBytes: percentile(memory, 0.5) } // prettier-ignore
report(
  'sandbox',
  [
    { what: 'bare bwrap, p50 / p95', figure: `${ms(all.raw.p50)} / ${ms(all.raw.p95)}`, limit: '–', met: null },
    { what: 'profile strict, p50 / p95', figure: `${ms(all.strict.p50)} / ${ms(all.strict.p95)}`, limit: '–', met: null },
    { what: 'added, p50', figure: ms(all.added.p50), limit: `≤ ${ADDED_MS} ms`, met: all.added.p50 <= ADDED_MS },
    { what: 'times bare bwrap', figure: all.ratio.toFixed(2), limit: '–', met: null },
    { what: `programs a second, ${lanes} at once`, figure: all.perSecond.toFixed(0), limit: '–', met: null },
    { what: 'bare bwrap with a shell, p50 / p95', figure: `${ms(all.bareShell.p50)} / ${ms(all.bareShell.p95)}`, limit: '–', met: null },
    { what: 'machine with a shell, p50 / p95', figure: `${ms(all.machineShell.p50)} / ${ms(all.machineShell.p95)}`, limit: '–', met: null },
    {
      what: 'times the bare one',
      figure: all.machineRatio.toFixed(2),
      limit: `≤ ${TIMES_BARE_SHELL}`,
      met: all.machineRatio <= TIMES_BARE_SHELL,
    },
    { what: 'memory of a machine whose shell waits', figure: `${(all.machineBytes / MB).toFixed(1)} MB`, limit: '–', met: null },
  ],
  all,
)
