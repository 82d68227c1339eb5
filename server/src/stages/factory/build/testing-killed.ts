import { openCore } from '#server/testing/core.ts'
import { testDatasets } from './testing-rows.ts'

// A process for kill.test.ts: `node testing-killed.ts HOME`. It builds one version after another, says what it does, and is killed.
const [, , home] = process.argv
const core = openCore({ home: home! })
core.events.subscribe((message) => {
  if (message.type === 'job:progress') process.stdout.write(`${message.payload.progress.phase} ${message.payload.progress.done}\n`)
  if (message.type === 'dataset:added') process.stdout.write(`added ${message.payload.dataset.id}\n`)
})
const { build } = testDatasets(core, { sessions: 60, perSession: 10 })
for (;;) await build({ dedup: { near: false } })
