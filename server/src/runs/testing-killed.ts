import { openToys } from './testing-toys.ts'

// runs.test.ts starts this with `node testing-killed.ts DATA_DIR` and kills it. It starts one run and queues a second.
// It prints a line when the first run is in the middle of writing a line.
const toys = await openToys({ dataDir: process.argv[2]! })
toys.start('first', { numbers: 40, holdAt: 20 })
toys.start('second', { numbers: 3 })
await toys.until('first', ({ live }) => live.n === 19)
process.stdout.write('in the middle\n')
