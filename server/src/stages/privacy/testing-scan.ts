import { startServer } from '#server/app.ts'
import { testConfig } from '#server/testing/server.ts'

// A process that archive-scan.test.ts kills: `node testing-scan.ts DATA_DIRECTORY` scans everything repeatedly and prints
// its progress.
const server = await startServer(testConfig({ dataDir: process.argv[2]! }))
const { jobs, events } = server.app.core
events.subscribe((message) => {
  if (message.type === 'job:progress') process.stdout.write(`${message.payload.progress.phase} ${message.payload.progress.done}\n`)
})
for (;;) {
  const response = await fetch(`${server.url}/api/privacy/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: '{"all":true}',
  })
  await jobs.wait(((await response.json()) as { id: string }).id)
}
