import fs from 'node:fs'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process for runs.test.ts: `node testing-server.ts HOME PYTHON REQUEST`. It starts a run and prints its progress until it is killed.
const [, , dataDir = '', python = '', request = ''] = process.argv
const app = await createApp(
  loadConfig({ dataDir }, { HOME: dataDir, PATH: process.env['PATH'], BASHGYM_PYTHON: python, BASHGYM_LOG: 'silent' }),
)
await app.start({ watch: false })
const run = await inProcessClient(app).startRun({ body: JSON.parse(fs.readFileSync(request, 'utf8')) as never })
app.core.events.subscribe(({ type, payload }) => {
  if (type === 'training:progress') process.stdout.write(`${run.id} ${(payload as { step: number }).step}\n`)
})
