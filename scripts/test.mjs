// `npm test`: sets up, checks, then every suite; what the system lacks is listed and skipped, never passed.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { faultsOf } from './lib/faults.mjs'
import { probe } from './lib/probe.mjs'
import { bin, ensureBuilt, ensureInstalled, fail, node24, root, withTools } from './lib/setup.mjs'

const log = (line) => console.log(line)
ensureInstalled({ log })
ensureBuilt({ log })

const parts = probe()
const required = (process.env.BASHGYM_TEST_REQUIRE ?? '').split(',').filter(Boolean)
const unknown = required.filter((name) => !(name in parts) && name !== 'docker')
if (unknown.length) fail(`BASHGYM_TEST_REQUIRE names what no test knows: ${unknown.join(', ')}. Known: ${Object.keys(parts).join(', ')}.`)
const missing = Object.entries(parts).filter(([, { found }]) => !found)
for (const [name, { install }] of missing)
  log(`${required.includes(name) ? 'MISSING (required)' : 'missing, its tests are skipped'}: ${name}: ${install}`)
if (missing.some(([name]) => required.includes(name))) process.exit(1)
const has = (name) => Boolean(parts[name].found)

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-test-'))
const report = (name) => path.join(out, `${name}.json`)
const vitest = (name, ...args) => ({
  name,
  command: path.join(bin, 'vitest'),
  args: ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile=${report(name)}`],
  count: countVitest,
})
const playwright = (name, config) => ({
  name,
  command: path.join(bin, 'playwright'),
  args: ['test', '--config', config, '--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report(name) },
  count: countPlaywright,
})
const xvfb = (suite) =>
  process.platform === 'linux' && !process.env.DISPLAY
    ? { ...suite, command: 'xvfb-run', args: ['-a', '-s', '-screen 0 1440x900x24', suite.command, ...suite.args] }
    : suite

/** One after the other; where there are lanes they run side by side, for each of them takes one core. */
const suites = [
  [
    [
      { name: 'check', command: node24(), args: ['scripts/check.mjs'], hasReport: false },
      { ...xvfb(playwright('desktop', 'e2e/desktop/playwright.config.ts')), needs: 'electron' },
      { ...vitest('client', '--config', 'e2e/client/vitest.config.ts'), needs: 'claude' },
    ],
    [
      {
        name: 'api fuzz',
        command: node24(),
        args: ['e2e/api/schemathesis.mjs'],
        needs: 'schemathesis',
        hasReport: false,
      },
      vitest('cli', '--config', 'e2e/cli/vitest.config.ts'),
    ],
  ],
  vitest('unit'),
  { ...vitest('trainers', '--config', 'e2e/trainers/vitest.config.ts'), needs: 'python' },
  { ...playwright('web', 'e2e/web/playwright.config.ts'), needs: 'chromium' },
]
const only = process.argv.slice(2)
const totals = { passed: 0, failed: 0, skipped: 0 }
const times = []
const faults = []
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
log(`\n${times.map(([name, seconds]) => `${name} ${seconds} s`).join(', ')}; ${minutes.toFixed(1)} min in all`)
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

/** Runs a suite. What it prints is shown as it comes, where it is `live`, or all at once when it has ended. */
async function run(suite, live) {
  const started = Date.now()
  const printed = path.join(out, `${suite.name}.log`)
  if (live) log(`\n== ${suite.name}`)
  const code = await execute(suite, printed, live)
  if (!live) log(`\n== ${suite.name}\n${fs.readFileSync(printed, 'utf8')}`)
  const counts = (fs.existsSync(report(suite.name)) && suite.count(report(suite.name))) || {
    passed: code === 0 ? 1 : 0,
    failed: 0,
    skipped: 0,
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  if (counts.failed > 0) faults.push(...faultsOf(suite.name, report(suite.name), printed))
  for (const key of Object.keys(totals)) totals[key] += counts[key]
  const seconds = Math.round((Date.now() - started) / 1000)
  times.push([suite.name, seconds])
  log(`== ${suite.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s)`)
}

function execute({ command, args, env = {}, hasReport = true }, printed, live) {
  const sink = !live ? fs.openSync(printed, 'w') : hasReport ? 'inherit' : 'pipe'
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', sink, sink],
      env: withTools({
        ...env,
        NODE_COMPILE_CACHE: path.join(root, '.cache', 'code'), // where the product keeps its own
        BASHGYM_CHROMIUM: parts.chromium.found ?? '',
        BASHGYM_TEST_ELECTRON: parts.electron.found ?? '',
        BASHGYM_TEST_PYTHON: parts.python.found ?? '',
      }),
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        process.stdout.write(chunk)
        fs.appendFileSync(printed, chunk)
      })
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}

function countVitest(file) {
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return { passed: numPassedTests, failed: numFailedTests + (numFailedTests === 0 ? numFailedTestSuites : 0), skipped: numPendingTests }
}

function countPlaywright(file) {
  const { stats } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
}
