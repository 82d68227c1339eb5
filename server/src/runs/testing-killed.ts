import { openToys } from './testing-toys.ts'

// A process for runs.test.ts: `node testing-killed.ts HOME`. It starts one run, has another wait, says so when the first one
// is in the middle of a line, and is killed.
const toys = await openToys({ dataDir: process.argv[2]! })
toys.start('first', { numbers: 40, holdAt: 20 })
toys.start('second', { numbers: 3 })
await toys.until('first', ({ live }) => live.n === 19)
process.stdout.write('in the middle\n')
