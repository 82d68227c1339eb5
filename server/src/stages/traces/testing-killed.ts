import { setTimeout as sleep } from 'node:timers/promises'
import { openCore } from '#server/testing/core.ts'
import { wireSamples } from './testing-samples.ts'

// A process for kill.test.ts: `node testing-killed.ts HOME rebuild|promote`. It prints what it committed, and is killed.
const [, , dataDir, task] = process.argv
const core = openCore({ dataDir })
const { capture, traces, importFolder, list } = wireSamples(core)
const print = (text: string) => process.stdout.write(`${text}\n`)
if (task === 'promote') {
  await importFolder()
  const { items } = await list('', 'title')
  for (let round = 0; ; round += 1) {
    const tier = (['gold', 'silver', 'bronze'] as const)[round % 3]!
    traces.set(items[round % items.length]!.id, tier, 'user', `round ${round}`)
    print(`${items[round % items.length]!.id} ${tier} ${round}`)
    await sleep(0)
  }
} else {
  await traces.rebuild({
    signal: new AbortController().signal,
    progress: ({ phase, done }) => {
      print(`${phase} ${done}`)
      if (phase === 'rebuilding the database' && done === 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) // wait to be killed
    },
  })
  print('done')
  await capture.close()
  process.exit(0)
}
