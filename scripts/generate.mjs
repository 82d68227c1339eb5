// Writes contracts/generated/ from the contract; `--check` fails where a checked-in file differs.
import fs from 'node:fs'
import path from 'node:path'
import { openapi } from '../contracts/src/derive/openapi.ts'
import { routes } from '../contracts/src/routes/index.ts'
import { root } from './lib/setup.mjs'

const { version, description } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const document = openapi(Object.values(routes), { title: 'Bash Gym', version, description })
const files = { 'openapi.json': `${JSON.stringify(document, null, 2)}\n` }

const folder = path.join(root, 'contracts', 'generated')
const stale = []
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name)
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) continue
  stale.push(name)
  if (process.argv.includes('--check')) continue
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, text)
  console.log(`wrote contracts/generated/${name}`)
}
if (process.argv.includes('--check') && stale.length) {
  console.error(`Not current: ${stale.join(', ')} in contracts/generated. Run \`npm run generate\` and commit the result.`)
  process.exit(1)
}
