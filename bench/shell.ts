import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { openMachines } from '#server/adapters/sandbox/index.ts'
import { startProcess } from '#server/process/start.ts'
import { openShell } from '#server/stages/arena/shell/shell.ts'
import type { Shell, ShellOptions } from '#server/stages/arena/shell/types.ts'
import { hostMachine } from '#server/stages/arena/shell/testing-host.ts'
import { percentile, report } from './support/report.ts'

/**
 * The round trip of a builtin through the shell, in this process, against a line written to a plain bash on pipes and its
 * answer read, turn about in one run: with pipes and on a terminal, on the host and in a bubblewrap machine.
 *
 *     npm run bench -- shell
 */
const RUNS = 1000
const TIMES_RAW = 6
const ROUND_TRIP_MS = { p50: 0.5, p99: 2 }
const MB = 1024 * 1024

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-shell-'))
const records = path.join(folder, 'machines')
fs.mkdirSync(records, { mode: 0o700 })
const engine = await openMachines(records)
const machine = await engine.create({
  id: 'bench',
  image: 'host',
  profile: 'machine',
  workdir: null,
  env: {},
  network: 'none',
  limits: { memoryBytes: 512 * MB, cpus: 2, processes: 256, diskBytes: 256 * MB, openFiles: 1024, fileBytes: 256 * MB },
  labels: {},
})

const bash = await startProcess({
  command: '/bin/bash',
  args: ['--norc', '--noprofile'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  output: { descriptors: ['pipe', 'pipe', 'ignore'] },
  deadlineMs: null,
  graceMs: 0,
})
const [input, output] = bash.streams as unknown as [Writable, Readable]
const raw = () =>
  new Promise<void>((resolve) => {
    output.once('data', () => resolve())
    input.write('echo x\n')
  })

const terminal = { columns: 80, rows: 24 }
const open = (where: Parameters<typeof openShell>[0], shape: ShellOptions['terminal']) =>
  openShell(where, { terminal: shape, outputFolder: null })
const shells = {
  'host, pipes': await open(hostMachine(folder), null),
  'host, terminal': await open(hostMachine(folder), terminal),
  'bubblewrap, pipes': await open(machine, null),
  'bubblewrap, terminal': await open(machine, terminal),
}
const echo = (shell: Shell) => async () => {
  const { output: text } = await shell.exec({ command: 'echo x', timeoutSec: 60, maxOutputBytes: 1000 })
  if (text !== 'x\n') throw new Error(`The shell answered ${JSON.stringify(text)}.`)
}
const timed = async (work: () => Promise<void>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const ways = new Map([['plain bash', raw], ...Object.entries(shells).map(([name, shell]) => [name, echo(shell)] as const)])
const times = new Map([...ways.keys()].map((name) => [name, [] as number[]]))
for (let n = 0; n < RUNS; n += 1) for (const [name, work] of ways) times.get(name)!.push(await timed(work))

const shell = shells['bubblewrap, pipes']
const million = `: ${'x'.repeat(1_000_000)}`
const long = await timed(async () => void (await shell.exec({ command: million, timeoutSec: 60, maxOutputBytes: 1000 })))
const flood = await timed(
  async () => void (await shell.exec({ command: 'head -c 10000000 /dev/zero', timeoutSec: 60, maxOutputBytes: MB })),
)

for (const one of Object.values(shells)) await one.end()
await bash.end()
await machine.remove()
fs.rmSync(folder, { recursive: true })

const figures = [...times].map(([name, values]) => ({ name, p50: percentile(values, 0.5), p99: percentile(values, 0.99) }))
const [plain, ...ours] = figures as [(typeof figures)[0], ...typeof figures]
const ms = (value: number) => `${value.toFixed(3)} ms`
report(
  'shell',
  [
    { what: 'a line to a plain bash on pipes, p50 / p99', figure: `${ms(plain.p50)} / ${ms(plain.p99)}`, limit: '–', met: null },
    ...ours.flatMap(({ name, p50, p99 }) => [
      { what: `${name}, p50`, figure: ms(p50), limit: `≤ ${ROUND_TRIP_MS.p50} ms`, met: p50 <= ROUND_TRIP_MS.p50 },
      { what: `${name}, p99`, figure: ms(p99), limit: `≤ ${ROUND_TRIP_MS.p99} ms`, met: p99 <= ROUND_TRIP_MS.p99 },
      { what: `${name}, times the plain bash`, figure: (p50 / plain.p50).toFixed(1), limit: `≤ ${TIMES_RAW}`, met: p50 / plain.p50 <= TIMES_RAW }, // prettier-ignore
    ]),
    { what: 'a command of 1 MB, bubblewrap, pipes', figure: ms(long), limit: '–', met: null },
    { what: '10 MB of output, bubblewrap, pipes', figure: ms(flood), limit: '–', met: null },
  ],
  { figures, long, flood },
)
