/**
 * `npm run bench` runs all benchmarks one after the other; `npm run bench -- import --small` runs one with its options.
 * Each prints a table and writes JSON to bench/results/. docs/performance.md has the latest figures.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureBuilt } from '../scripts/lib/setup.mjs'

const BENCHMARKS = [
  'hook',
  'import',
  'traces',
  'live',
  'privacy',
  'false-alarms',
  'datasets',
  'build',
  'examples',
  'policy',
  'preview',
  'savings',
  'rows',
  'scroll',
  'charts',
  'sandbox',
  'starts',
  'arena',
  'environments',
  'rollouts',
  'agent-runs',
  'batches',
  'training',
  'metrics',
  'memory',
  'first-step',
  'next-calls',
  'pass-through',
  'mod-step',
  'guard',
  'benchmarks',
  'exams',
  'outcomes',
  'profiles',
  'telemetry',
]
/** Runs only if named, because it needs a GPU. */
const BY_NAME = ['gpu']

const [name, ...options] = process.argv.slice(2)
const names = name === undefined || name.startsWith('-') ? BENCHMARKS : [name]
const unknown = names.find((one) => ![...BENCHMARKS, ...BY_NAME].includes(one))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". There are: ${[...BENCHMARKS, ...BY_NAME].join(', ')}.`)
  process.exit(2)
}
ensureBuilt({ log: console.error })
for (const one of names) {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${one}.ts`), ...options], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
