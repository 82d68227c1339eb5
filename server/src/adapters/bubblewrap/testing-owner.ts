/** `node testing-owner.ts RECORDS MARK`: a machine with a program on pipes and one on a terminal, until it is killed. */
import { openMachines } from '../sandbox/index.ts'

const [, , records, mark] = process.argv as [string, string, string, string]
const MB = 1024 * 1024
const engine = await openMachines(records)
const machine = await engine.create({
  id: 'a',
  image: 'host',
  profile: 'machine',
  workdir: null,
  env: {},
  network: 'none',
  limits: { memoryBytes: 64 * MB, cpus: 1, processes: 32, diskBytes: 64 * MB, openFiles: 64, fileBytes: 16 * MB },
  labels: {},
})
await machine.open({ argv: ['sleep', mark], terminal: null })
const shell = await machine.open({ argv: ['sh', '-c', `sleep ${mark} & echo started; wait`], terminal: { columns: 80, rows: 24 } })
shell.output.once('data', () => process.stdout.write('running\n'))
