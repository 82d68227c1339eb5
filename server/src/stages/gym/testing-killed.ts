import { createLocalEngine } from '#server/adapters/engine/index.ts'
import { openGym } from './testing-gym.ts'

// A process for kill.test.ts: `node testing-killed.ts DATA_DIR WHERE`. It starts runs and prints their ids. The test kills it
// during training, or it kills itself after starting a trainer but before storing its handle.
const [, , dataDir = '', where = ''] = process.argv
const local = createLocalEngine()
const gym = await openGym({
  dataDir,
  deps: {
    engines: {
      local: {
        ...local,
        async start(job) {
          const handle = await local.start(job)
          if (where === 'starting') process.kill(process.pid, 'SIGKILL')
          return handle
        },
      },
    },
  },
})
const play = where === 'training' ? { steps: 250, garbageAt: 20, holdAt: 30 } : { steps: 60, holdAt: 5 }
const begin = async () => (await gym.client.startRun({ body: gym.request(play) })).id
const ids = [await begin()]
process.stdout.write(`${ids[0]}\n`)
if (where === 'queue') for (let more = 0; more < 2; more += 1) ids.push(await begin())
await gym.untilStep(ids[0]!, where === 'queue' ? 5 : 30)
process.stdout.write(`${ids.join(' ')}\n`)
