// `npm run check`: format, lint and types, import rules, dead code, generated files, budget, words. Alone on two cores it takes about a minute.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { bin, node24, root, withTools } from './lib/setup.mjs'

const tool = (name, ...args) => [path.join(bin, name), args]
const script = (name, ...args) => [node24(), [path.join(root, 'scripts', name), ...args]]
/** The lanes run side by side. The linter also reports type errors: whoever lints with types has built them already. */
const lanes = [
  { 'lint and types': tool('oxlint', '--type-aware', '--type-check', '--deny-warnings') },
  {
    format: tool('oxfmt', '--check'),
    projects: script('typecheck.mjs', '--files'),
    rooms: script('rooms.mjs'),
    'dead code': tool('knip', '--no-progress'),
    generated: script('generate.mjs', '--check'),
    'house rules': script('house-rules.mjs'),
    words: script('words.mjs'),
  },
]

let failed = 0
await Promise.all(
  lanes.map(async (checks) => {
    for (const [name, [command, args]] of Object.entries(checks)) await check(name, command, args)
  }),
)
process.exit(failed === 0 ? 0 : 1)

async function check(name, command, args) {
  const started = Date.now()
  const { code, text } = await collect(command, args)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (code !== 0) failed += 1
  if (code !== 0 || name === 'projects' || name === 'rooms') process.stdout.write(text)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
}

function collect(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: withTools({ FORCE_COLOR: '0' }), shell: process.platform === 'win32' })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.stderr.on('data', (chunk) => (text += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, text }))
  })
}
