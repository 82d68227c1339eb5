import { openGym } from './testing-gym.ts'

// A process for kill.test.ts: `node testing-killed.ts HOME`. It begins a run, says its id, and is killed.
const gym = await openGym({ home: process.argv[2]! })
const run = await gym.client.startRun({ body: gym.request({ steps: 250, stepMs: 10, garbageAt: 20 }) })
await gym.untilStep(run.id, 30)
process.stdout.write(`${run.id}\n`)
