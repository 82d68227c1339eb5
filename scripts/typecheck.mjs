// Types without lint: all projects, or those that are named (`npm run typecheck -- server`). Each part has its own tsconfig, because
// contracts must not use Node types and the server must not use DOM types. `npm run check` has the linter report the type errors and
// asks here (`--files`) only whether each TypeScript file belongs to a project.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { node24, root } from './lib/setup.mjs'

/** The root project (`.`) covers everything else that runs in Node: bench, scripts, and the end-to-end tests that import the server. */
const PROJECTS = ['contracts', 'server', 'renderer', 'electron', 'e2e', '.']
const args = process.argv.slice(2)
const listOnly = args.includes('--files')
const named = args.filter((arg) => !arg.startsWith('--'))
const seen = new Set()
let failed = 0
for (const name of named.length > 0 ? named : PROJECTS) {
  const project = path.join(root, name, 'tsconfig.json')
  if (!fs.existsSync(project)) throw new Error(`${project} is missing`)
  const { status, stdout, stderr } = spawnSync(
    node24(),
    [
      path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc'),
      '-p',
      project,
      '--noEmit',
      '--pretty',
      'false',
      listOnly ? '--listFilesOnly' : '--listFiles',
    ],
    { encoding: 'utf8', maxBuffer: 64e6 },
  )
  const { files = [], messages = [] } = Object.groupBy(stdout.split('\n'), (line) => (path.isAbsolute(line) ? 'files' : 'messages'))
  const errors = [...messages, stderr].join('\n').trim()
  if (errors) console.error(errors)
  const own = files.filter((file) => file.startsWith(root) && !file.includes('node_modules'))
  for (const file of own) seen.add(path.relative(root, file))
  console.log(
    `types: ${name === '.' ? 'bench, scripts, e2e/client, e2e/trainers' : name}: ${own.length} files${status === 0 ? '' : ' – errors above'}`,
  )
  if (own.length === 0) console.error(`types: ${name} has no files of its own: the check would see nothing.`)
  if (own.length === 0 || status !== 0) failed += 1
}
if (named.length === 0) {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts'], { cwd: root, encoding: 'utf8', maxBuffer: 64e6 })
  const outside = tracked.split('\n').filter((file) => file && fs.existsSync(path.join(root, file)) && !seen.has(file))
  for (const file of outside) console.error(`types: ${file} belongs to no project: add it to a tsconfig.json`)
  failed += outside.length
}
process.exit(failed === 0 ? 0 : 1)
