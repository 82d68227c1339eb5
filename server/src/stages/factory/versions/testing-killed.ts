import fs from 'node:fs'
import path from 'node:path'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { openCore } from '#server/testing/core.ts'
import { testDatasets } from './testing-rows.ts'

// A process for kill.test.ts: `node testing-killed.ts DATA_DIR build|export|import FOLDER STOP`. It repeats the same work and
// prints its progress until it is killed. It blocks after a line that begins with STOP.
const [, , dataDir, what, place, hold] = process.argv
const core = openCore({ dataDir: dataDir! })
const print = (line: string) => {
  process.stdout.write(`${line}\n`)
  if (hold !== undefined && line.startsWith(hold)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) // blocks until it is killed
}
core.events.subscribe((message) => {
  if (message.type === 'job:progress') print(`${message.payload.progress.phase} ${message.payload.progress.done}`)
  if (message.type === 'dataset:added') print(`added ${message.payload.dataset.id}`)
})
const { build, datasets } = testDatasets(core, { sessions: 60, perSession: 10 })
if (what === 'build') for (;;) await build({ dedup: { near: false } })

const job = await build({ dedup: { near: false }, split: { val: 0 } })
if (job.error) throw new Error(job.error.message)
const { id } = job.result as DatasetBuilt
if (what === 'import') {
  const file = path.join(datasets.folder(id), 'train.jsonl')
  for (;;) {
    const { collection } = (await core.jobs.wait(datasets.importRows({ file, columns: {}, skipInvalid: false }).id)).result as {
      collection: { id: string }
    }
    print(`stored ${collection.id}`)
  }
}
const watch = setInterval(() => {
  for (const name of fs.readdirSync(place!))
    if (name.includes('.part-') && fs.readdirSync(path.join(place!, name)).length > 0) print(`writing ${name}`)
}, 1)
for (let number = 1; ; number += 1) {
  await datasets.export(id, { format: 'trl', out: path.join(place!, `out-${number}`) }, new AbortController().signal)
  watch.refresh()
  print(`exported out-${number}`)
}
