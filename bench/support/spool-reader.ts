/** Runs the app's spool reader in a separate thread and counts the stored events. */
import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createSpool } from '#server/stages/capture/spool.ts'

if (parentPort === null) throw new Error('This file is a worker thread of bench/hook.ts.')
const port = parentPort
const { dataDir } = workerData as { dataDir: string }
let stored = 0
let problems = 0
const spool = createSpool({
  folder: path.join(dataDir, 'spool'),
  quarantine: path.join(dataDir, 'quarantine'),
  store: (events) => {
    stored += events.length
    return Promise.resolve()
  },
  onDoorbell: () => undefined,
  onProblem: () => (problems += 1),
})

const RETRY_MS = 20
let running = false
async function take(): Promise<void> {
  if (running) return
  running = true
  const waits = await spool.readAll()
  running = false
  if (waits) setTimeout(() => void take(), RETRY_MS)
}
fs.watch(path.join(dataDir, 'spool'), () => void take())
port.on('message', () => void take().then(() => port.postMessage({ stored, problems, left: spool.count() })))
port.postMessage({ stored, problems, left: 0 })
