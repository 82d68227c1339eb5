// `npm run check`: format, lint with types, types, import rules, dead code, generated files. It must take less than 60 s.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { bin, node24, root, withTools } from './lib/setup.mjs'

const tool = (name, ...args) => [path.join(bin, name), args]
const script = (name, ...args) => [node24(), [path.join(root, 'scripts', name), ...args]]
const checks = {
  format: tool('oxfmt', '--check'),
  lint: tool('oxlint', '--type-aware', '--deny-warnings'),
  types: script('typecheck.mjs'),
  rooms: script('rooms.mjs'),
  'dead code': tool('knip', '--no-progress'),
  generated: script('generate.mjs', '--check'),
  'house rules': script('house-rules.mjs'),
  words: script('words.mjs'),
}

let failed = 0
for (const [name, [command, args]] of Object.entries(checks)) {
  const started = Date.now()
  const { code, text } = await collect(command, args)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (code !== 0) {
    failed += 1
    process.stdout.write(text)
  } else if (name === 'types' || name === 'rooms') process.stdout.write(text)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
}
process.exit(failed === 0 ? 0 : 1)

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
