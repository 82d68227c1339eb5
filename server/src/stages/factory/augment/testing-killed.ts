import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'

// A process for kill.test.ts: `node testing-killed.ts DATA_DIR PLAN`. It starts a run and prints its progress until it is killed.
const [, , dataDir, plan] = process.argv
const app = await createApp(
  loadConfig(
    { dataDir: dataDir! },
    { HOME: dataDir!, ANTHROPIC_API_KEY: 'sk-ant-api03-not-a-real-key-0123456789abcdef', BASHGYM_LOG: 'silent' },
  ),
)
app.core.events.subscribe((message) => {
  if (message.type === 'job:progress') process.stdout.write(`${message.payload.progress.done}\n`)
})
await inProcessClient(app).generateSynthetic({ body: JSON.parse(plan!) as never })
