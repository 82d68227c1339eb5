// Checks the types of every part with its own tsconfig, because contracts must not use Node types and the server must not use DOM types.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { node24, root } from './lib/setup.mjs'

/** The root project (`.`) covers everything else that runs in Node: bench, scripts, and the end-to-end tests that import the server. */
const projects = ['contracts', 'server', 'renderer', 'electron', 'e2e', '.']
let failed = 0
for (const name of projects) {
  const project = path.join(root, name, 'tsconfig.json')
  if (!fs.existsSync(project)) throw new Error(`${project} is missing`)
  const { status, stdout, stderr } = spawnSync(
    node24(),
    [path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc'), '-p', project, '--noEmit', '--pretty', 'false', '--listFiles'],
    { encoding: 'utf8', maxBuffer: 64e6 },
  )
  const { files = [], messages = [] } = Object.groupBy(stdout.split('\n'), (line) => (path.isAbsolute(line) ? 'files' : 'messages'))
  const errors = [...messages, stderr].join('\n').trim()
  if (errors) console.error(errors)
  const own = files.filter((file) => file.startsWith(root) && !file.includes('node_modules')).length
  console.log(
    `types: ${name === '.' ? 'bench, scripts, e2e/client, e2e/trainers' : name}: ${own} files${status === 0 ? '' : ' – errors above'}`,
  )
  if (own === 0) console.error(`types: ${name} has no files of its own: the check would see nothing.`)
  if (own === 0 || status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
