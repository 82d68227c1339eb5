// One suite of `npm test`: runs it, counts its tests, and in CI runs each failed test, or file that failed outside one, once more by itself.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describeCrash, describeFailure, failuresIn } from './faults.mjs'
import { bin } from './setup.mjs'

/** With more failures than this, race conditions are not the cause, so no test is run again. */
const RUN_AGAIN_AT_MOST = 10

export function vitest(name, ...args) {
  return {
    name,
    command: path.join(bin, 'vitest'),
    args: ['run', ...args, '--reporter=default', '--reporter=json', `--reporter=${path.join(import.meta.dirname, 'vitest-errors.mjs')}`],
    reportsTo: (report) => ({ args: [`--outputFile.json=${report}`], env: { BASHGYM_TEST_ERRORS: `${report}.errors` } }),
    // vitest joins titles by ` > `
    only: ({ file, titles }) => (titles ? [file, '--testNamePattern', `^${titles.map(escape).join('(?: > | )')}$`] : [file]),
    count: ({ numPassedTests, numPendingTests }) => ({ passed: numPassedTests, skipped: numPendingTests }),
    times: ({ testResults }) => testResults.map(({ name: file, startTime, endTime }) => ({ file, ms: endTime - startTime })),
  }
}

export function playwright(name, config) {
  return {
    name,
    command: path.join(bin, 'playwright'),
    args: ['test', '--config', config, '--reporter=list,json'],
    reportsTo: (report) => ({ args: [], env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } }),
    // a separate output folder, because Playwright would delete the screenshot of the first failure
    only: ({ file, line, title }, out) => [
      ...(title ? [`${escape(file)}:${line}`, '--grep', `${escape(title)}$`] : [escape(file)]),
      '--output',
      path.join(out, 'again'),
    ],
    count: ({ stats }) => ({ passed: stats.expected, skipped: stats.skipped }),
    times: ({ config, suites }) => suites.map((suite) => ({ file: path.join(config.rootDir, suite.file), ms: msOf(suite) })),
  }
}

/** How long the tests of a Playwright suite ran, hooks included. */
const msOf = ({ suites = [], specs = [] }) =>
  sum(suites.map(msOf)) + sum(specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))))
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

const escape = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/**
 * Runs a suite in `cwd`. Its output is shown immediately (`live`) or after the suite has ended. With `retry`, a failed test
 * runs once more by itself, and so does a file that failed outside its tests; what then passes counts as flaky, not as failed.
 * `faults` and `flaky` are texts for the end of the output; `times` has each file's milliseconds.
 * @param {any} suite
 * @param {{ out: string, cwd: string, env: NodeJS.ProcessEnv, live: boolean, retry: boolean }} options
 * @returns {Promise<{ passed: number, failed: number, skipped: number, faults: string[], flaky: string[], times: { file: string, ms: number }[] }>}
 */
export async function runSuite(suite, { out, cwd, env, live, retry }) {
  const first = await attempt(suite, [], path.join(out, suite.name), { cwd, env, live })
  const { passed, skipped } = first.counts ?? { passed: first.code === 0 ? 1 : 0, skipped: 0 }
  const result = { passed, failed: 0, skipped, faults: [], flaky: [], times: first.times }
  if (first.code !== 0 && first.failures.length === 0) {
    result.failed = 1
    result.faults.push(describeCrash(suite.name, first.printed))
  }
  const runAgain = retry && first.counts !== null && first.failures.length <= RUN_AGAIN_AT_MOST
  for (const [index, failure] of first.failures.entries()) {
    const again = path.join(out, `${suite.name}-${index}`)
    if (runAgain && failure.again && (await passesAlone(suite, failure, again, { out, cwd, env, live }))) {
      result.passed += failure.again.isFile ? 0 : 1 // its tests were counted
      result.flaky.push(describeFailure(suite.name, failure))
    } else {
      result.failed += 1
      result.faults.push(describeFailure(suite.name, failure))
    }
  }
  return result
}

async function passesAlone(suite, { name, again }, base, { out, ...options }) {
  console.log(`\n== ${suite.name}: once more, by itself: ${name}`)
  const { code, counts, failures } = await attempt(suite, suite.only(again, out), base, options)
  return code === 0 && failures.length === 0 && (counts?.passed ?? 0) > 0
}

/** Runs the suite once. `counts` is null if the run wrote no report. */
async function attempt(suite, extra, base, { cwd, env, live }) {
  const report = `${base}.json`
  const printed = `${base}.log`
  const reporting = suite.reportsTo?.(report)
  const code = await execute({
    command: suite.command,
    args: [...suite.args, ...(reporting?.args ?? []), ...extra],
    sink: !live ? fs.openSync(printed, 'w') : reporting ? 'inherit' : 'pipe',
    env: { ...env, ...reporting?.env },
    printed,
    cwd,
  })
  if (!live) console.log(`\n== ${suite.name}\n${fs.readFileSync(printed, 'utf8')}`)
  const results = reporting && fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : null
  const failures = failuresIn(report, `${report}.errors`)
  return { code, counts: results && suite.count(results), times: results ? suite.times(results) : [], failures, printed }
}

function execute({ command, args, sink, env, printed, cwd }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', sink, sink], env })
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
