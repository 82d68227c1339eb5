// Writes the files that are generated from the contract; with `--check` it fails if a checked-in file differs.
import fs from 'node:fs'
import path from 'node:path'
import { trainerSchema } from '../contracts/src/trainer.ts'
import { root } from './lib/setup.mjs'

const text = (value) => `${JSON.stringify(value, null, 2)}\n`
const files = {
  'contracts/generated/trainer.schema.json': text(trainerSchema()),
  'server/trainers/bashgym_trainers/trainer.schema.json': text(trainerSchema()), // shipped with the Python package
}

const stale = []
for (const [name, wanted] of Object.entries(files)) {
  const file = path.join(root, name)
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === wanted) continue
  stale.push(name)
  if (process.argv.includes('--check')) continue
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, wanted)
  console.log(`wrote ${name}`)
}
if (process.argv.includes('--check') && stale.length) {
  console.error(`Not current: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.`)
  process.exit(1)
}
