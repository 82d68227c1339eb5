// `npm test`: installs and builds if needed, then runs every suite. Suites whose programs are missing are listed as skipped, not as passed.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { probe } from './lib/probe.mjs'
import { ensureBuilt, ensureInstalled, fail, node24, root, withTools } from './lib/setup.mjs'
import { playwright, runSuite, vitest } from './lib/suite.mjs'

const log = (line) => console.log(line)
ensureInstalled({ log })
ensureBuilt({ log })

const parts = probe()
const required = (process.env.BASHGYM_TEST_REQUIRE ?? '').split(',').filter(Boolean)
const unknown = required.filter((name) => !(name in parts))
if (unknown.length) fail(`Unknown names in BASHGYM_TEST_REQUIRE: ${unknown.join(', ')}. Known: ${Object.keys(parts).join(', ')}.`)
const missing = Object.entries(parts).filter(([, { found }]) => !found)
for (const [name, { install }] of missing)
  log(`${required.includes(name) ? 'MISSING (required)' : 'missing, its tests are skipped'}: ${name}: ${install}`)
if (missing.some(([name]) => required.includes(name))) process.exit(1)
const has = (name) => Boolean(parts[name].found)

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-test-'))
const xvfb = (suite) =>
  process.platform === 'linux' && !process.env.DISPLAY
    ? { ...suite, command: 'xvfb-run', args: ['-a', '-s', '-screen 0 1440x900x24', suite.command, ...suite.args] }
    : suite

const TRAINERS = ['--config', 'e2e/trainers/vitest.config.ts']
/** The Python package's own tests: minutes in one process. */
const PACKAGE = 'e2e/trainers/package.test.ts'

/** Suites run one after the other. The lanes of a nested list run in parallel, because each lane uses one core. */
const suites = [
  [
    [
      { name: 'check', command: node24(), args: ['scripts/check.mjs'] },
      {
        name: 'api fuzz',
        command: node24(),
        args: ['e2e/api/schemathesis.mjs'],
        needs: 'schemathesis',
      },
      { ...vitest('package', ...TRAINERS, PACKAGE), needs: 'python' },
    ],
    [
      { ...vitest('client', '--config', 'e2e/client/vitest.config.ts'), needs: 'claude' },
      vitest('cli', '--config', 'e2e/cli/vitest.config.ts'),
      { ...xvfb(playwright('desktop', 'e2e/desktop/playwright.config.ts')), needs: 'electron' },
    ],
  ],
  vitest('unit'),
  { ...vitest('trainers', ...TRAINERS, '--exclude', PACKAGE), needs: 'python' },
  { ...playwright('web', 'e2e/web/playwright.config.ts'), needs: 'chromium' },
]
/** In CI a failed test runs once more by itself, so that one race does not fail a run of half an hour. The output lists it at the end. */
const isCI = process.env.CI === 'true'
const environment = withTools({
  NODE_COMPILE_CACHE: path.join(root, '.cache', 'code'), // the product uses this folder too
  BASHGYM_CHROMIUM: parts.chromium.found ?? '',
  BASHGYM_TEST_ELECTRON: parts.electron.found ?? '',
  BASHGYM_TEST_PYTHON: parts.python.found ?? '',
})
const only = process.argv.slice(2)
const totals = { passed: 0, failed: 0, skipped: 0 }
const times = []
const files = []
const faults = []
const flaky = []
const began = Date.now()
for (const entry of suites) {
  const lanes = (Array.isArray(entry) ? entry : [[entry]]).map((lane) => lane.filter(isWanted)).filter((lane) => lane.length > 0)
  await Promise.all(
    lanes.map(async (lane, index) => {
      for (const suite of lane) await run(suite, index === 0)
    }),
  )
}
fs.rmSync(out, { recursive: true, force: true })
const minutes = (Date.now() - began) / 60_000
const column = (seconds) => (seconds / 60).toFixed(1).padStart(6)
log(`\nminutes by suite (lanes run side by side):`)
for (const [name, seconds] of times.toSorted((a, b) => b[1] - a[1])) log(`${column(seconds)}  ${name}`)
log(`${minutes.toFixed(1).padStart(6)}  in all`)
if (files.length) log(`\nseconds of the ten slowest files:`)
for (const { suite, file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, 10))
  log(`${(ms / 1000).toFixed(0).padStart(6)}  ${suite}: ${path.relative(root, file)}`)
if (flaky.length) log(`\nflaky (failed, then passed by itself; each is a defect to fix):\n\n${flaky.join('\n\n')}\n`)
if (faults.length) log(`\nWhat failed:\n\n${faults.join('\n\n')}\n`)
log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)

function isWanted(suite) {
  if (only.length && !only.includes(suite.name)) return false
  if (!suite.needs || has(suite.needs)) return true
  log(`\n== ${suite.name}: skipped, ${suite.needs} is missing`)
  totals.skipped += 1
  return false
}

/** Runs a suite. Its output is shown immediately if `live`, otherwise after the suite has ended. */
async function run(suite, live) {
  const started = Date.now()
  if (live) log(`\n== ${suite.name}`)
  const result = await runSuite(suite, { out, cwd: root, env: environment, live, retry: isCI })
  faults.push(...result.faults)
  flaky.push(...result.flaky)
  files.push(...result.times.map((time) => ({ suite: suite.name, ...time })))
  for (const key of Object.keys(totals)) totals[key] += result[key]
  const seconds = Math.round((Date.now() - started) / 1000)
  times.push([suite.name, seconds])
  log(`== ${suite.name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped (${seconds} s)`)
}
