import { openToys } from './testing-toys.ts'

// A process that runs.test.ts starts with `node testing-killed.ts DATA_DIR` and kills. It starts one run and queues a second;
// a line on stdout says that the first is in the middle of a line of its own.
const toys = await openToys({ dataDir: process.argv[2]! })
toys.start('first', { numbers: 40, holdAt: 20 })
toys.start('second', { numbers: 3 })
await toys.until('first', ({ live }) => live.n === 19)
process.stdout.write('in the middle\n')
