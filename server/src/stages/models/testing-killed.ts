import fs from 'node:fs'
import path from 'node:path'
import { createClient } from '#contracts/derive/client.ts'
import * as routes from '#contracts/routes/models.ts'
import { inProcessTransport } from '#server/http/in-process.ts'
import { openCore } from '#server/testing/core.ts'
import { completedRun, openModels, runId } from './testing-models.ts'

// A process for exports.test.ts: `node testing-killed.ts DATA_DIR TOOL`. It starts an export, and kills itself while the tool writes.
const [, , dataDir = '', tool = ''] = process.argv
const core = openCore({ dataDir, keep: true })
const { models, tools } = openModels(core)
const client = createClient(routes, inProcessTransport(models.stage.routes, { who: 'user', validateResponses: true }))
core.tx(() => models.onRunCompleted(completedRun(core, 'a')))
tools.before = async (config) => {
  if (config.command !== tool || !('output' in config)) return
  fs.mkdirSync(path.dirname(config.output), { recursive: true })
  fs.writeFileSync(`${config.output}.part`, 'half of it')
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => undefined)
}
await client.exportModel({ params: { id: runId('a') }, body: { format: 'gguf' } })
