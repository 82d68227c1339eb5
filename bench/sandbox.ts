import { spawn } from 'node:child_process'
import { openSandboxes, runAlone } from '#server/adapters/sandbox/index.ts'
import { percentile, report } from './support/report.ts'

/**
 * Overhead of the profile `strict` with limits, filter and control group over a bare bwrap with all namespaces (at most
 * 8 ms per call, measured alternately in one run); and programs per second as the worker runs them.
 * The benchmark `arena` measures sandboxes with shells.
 *
 *     npm run bench -- sandbox
 */
const ADDED_MS = 8
const RUNS = 200

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

const ms = (value: number) => `${value.toFixed(1)} ms`
const figures = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) })
const all = { raw: figures(times.raw), strict: figures(times.strict), added: figures(added), ratio: percentile(times.strict, 0.5) / percentile(times.raw, 0.5), perSecond: (RUNS / together) * 1000, isolation: engine.isolation } // prettier-ignore
report(
  'sandbox',
  [
    { what: 'bare bwrap, p50 / p95', figure: `${ms(all.raw.p50)} / ${ms(all.raw.p95)}`, limit: '–', met: null },
    { what: 'profile strict, p50 / p95', figure: `${ms(all.strict.p50)} / ${ms(all.strict.p95)}`, limit: '–', met: null },
    { what: 'added, p50', figure: ms(all.added.p50), limit: `≤ ${ADDED_MS} ms`, met: all.added.p50 <= ADDED_MS },
    { what: 'times bare bwrap', figure: all.ratio.toFixed(2), limit: '–', met: null },
    { what: `programs a second, ${lanes} at once`, figure: all.perSecond.toFixed(0), limit: '–', met: null },
  ],
  all,
)
