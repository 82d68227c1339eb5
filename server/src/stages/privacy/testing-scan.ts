import fs from 'node:fs'
import path from 'node:path'
import { startServer } from '#server/app.ts'
import { record } from '#server/stages/capture/testing.ts'
import { testConfig } from '#server/testing/server.ts'

const LINES = 400

/** Sessions with an address in every line, in `folder`. */
export function writeSessions(folder: string, count: number): void {
  fs.mkdirSync(folder, { recursive: true })
  for (let number = 0; number < count; number += 1) {
    const id = `3b1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e${String(number).padStart(2, '0')}`
    const lines = Array.from({ length: LINES }, (_, line) => record(id, `write to linnea.sandqvist${line}@nordhavn.dk about it`))
    fs.writeFileSync(path.join(folder, `${id}.jsonl`), lines.join(''))
  }
}

// A process for archive-scan.test.ts: `node testing-scan.ts HOME`. It scans everything again and again, says how far it
// is, and is killed.
if (process.argv[1] === import.meta.filename) {
  const server = await startServer(testConfig({ home: process.argv[2]! }))
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
}
