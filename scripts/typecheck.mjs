// Types of every room, each against its own tsconfig: contracts gets no Node, the server no DOM.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { node24, root } from './lib/setup.mjs'

const rooms = ['contracts', 'server', 'renderer', 'electron', 'e2e', 'e2e/client', 'e2e/trainers', '.']
let failed = 0
for (const room of rooms) {
  const project = path.join(root, room, 'tsconfig.json')
  if (!fs.existsSync(project)) throw new Error(`${project} is missing`)
  const { status, stdout, stderr } = spawnSync(
    node24(),
    [path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc'), '-p', project, '--noEmit', '--listFilesOnly'],
    { encoding: 'utf8', maxBuffer: 64e6 },
  )
  const own = stdout.split('\n').filter((file) => file.startsWith(root) && !file.includes('node_modules')).length
  const check = spawnSync(
    node24(),
    [path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc'), '-p', project, '--noEmit', '--pretty', 'false'],
    { encoding: 'utf8', maxBuffer: 64e6 },
  )
  process.stdout.write(check.stdout + check.stderr)
  console.log(`types: ${room === '.' ? 'bench, scripts' : room}: ${own} files${check.status === 0 ? '' : ' – errors above'}`)
  if (own === 0 || status !== 0) {
    console.error(`types: ${room} has no files of its own: the check would see nothing. ${stderr}`)
    failed += 1
  }
  if (check.status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
