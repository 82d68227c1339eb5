// `npm run soak [-- --seed N] [-- PART …]`: what takes long and repeats more of the same: all phases of the API fuzz, kills at random moments,
// the growth of every pattern, properties with other seeds. It prints its seed; started again after an interruption it goes on
// with the parts that have not passed. `--again` begins anew.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { probe } from './lib/probe.mjs'
import { ensureBuilt, ensureInstalled, fail, node24, root, withTools } from './lib/setup.mjs'
import { remembered } from './lib/soak-state.mjs'
import { runSuite, vitest } from './lib/suite.mjs'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, again: { type: 'boolean' } },
  allowPositionals: true,
})
ensureInstalled({ log: console.log })
ensureBuilt({ log: console.log })
const parts = probe()

/** How often the property tests run, each time with a seed of its own. */
const ROUNDS = 10
const filesWith = (pattern) =>
  execFileSync('git', ['grep', '-lE', pattern, '--', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /^(contracts|server|scripts|hooks|electron|renderer)\//.test(file))
const unit = (name, files) => ({ ...vitest(name), args: ['run', ...files, ...vitest(name).args.slice(1)] })
const clients = vitest('client', '--config', 'e2e/client/vitest.config.ts')
const trainers = vitest('trainers', '--config', 'e2e/trainers/vitest.config.ts')

/** Each part: a suite as in scripts/test.mjs, and what its environment has besides the seed. */
const PARTS = [
  {
    name: 'api fuzz',
    command: node24(),
    args: ['e2e/api/schemathesis.mjs'],
    needs: 'schemathesis',
    env: { BASHGYM_FUZZ_PHASES: 'examples,coverage,fuzzing', BASHGYM_FUZZ_EXAMPLES: '50' },
  },
  unit('growth', filesWith('growthFault|takes linear time')),
  unit('more of the same', filesWith('[sS]oaking\\(|testing-conformance')),
  ...Array.from({ length: ROUNDS }, (_, round) => ({ ...unit(`properties ${round + 1}`, filesWith('fast-check')), round })),
  { ...clients, name: 'real client', args: ['run', 'mod.test.ts', 'mod-guard.test.ts', ...clients.args.slice(1)], needs: 'claude' },
  { ...trainers, name: 'strategies', args: ['run', 'package.test.ts', ...trainers.args.slice(1)], needs: 'python' },
]
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name || part.name.startsWith(`${name} `)))
if (unknown.length) fail(`Unknown parts: ${unknown.join(', ')}. Known: ${PARTS.map(({ name }) => name).join(', ')}.`)
const isWanted = ({ name }) => positionals.length === 0 || positionals.some((wanted) => name === wanted || name.startsWith(`${wanted} `))

const state = remembered(path.join(root, '.cache', 'soak.json'), values)
console.log(`seed ${state.seed}${state.passed.length ? `; passed before: ${state.passed.join(', ')} (--again begins anew)` : ''}`)
const out = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-soak-'))
const faults = []
for (const part of PARTS.filter(isWanted)) {
  if (state.passed.includes(part.name)) continue
  if (part.needs && !parts[part.needs].found) {
    console.log(`\n== ${part.name}: skipped, ${part.needs} is missing: ${parts[part.needs].install}`)
    continue
  }
  const seed = (state.seed + (part.round ?? 0)) % 2 ** 31
  console.log(`\n== ${part.name}, seed ${seed}`)
  const env = withTools({
    BASHGYM_SOAK: '1',
    BASHGYM_SEED: String(seed),
    BASHGYM_TEST_PYTHON: parts.python.found ?? '',
    ...part.env,
  })
  const result = await runSuite(part, { out, cwd: root, env, live: true, retry: false })
  faults.push(...result.faults.map((text) => `seed ${seed}: ${text}`))
  if (result.failed === 0) state.pass(part.name)
}
fs.rmSync(out, { recursive: true, force: true })
if (faults.length) console.log(`\nWhat failed:\n\n${faults.join('\n\n')}\n`)
else if (positionals.length === 0) state.end()
console.log(faults.length ? `${faults.length} failed; seed ${state.seed}` : `all passed; seed ${state.seed}`)
process.exit(faults.length ? 1 : 0)
