/** `node testing-owner.ts ENGINE RECORDS IMAGE MARK [DOCKER_HOST]`: runs a machine with a program on pipes and another on a terminal, until it is killed. */
import { createBackends } from './backends.ts'

const [, , name, records, image, mark, dockerHost] = process.argv as [string, string, string, string, string, string, string?]
const MB = 1024 * 1024
const backends = createBackends({ records, snapshots: `${records}-snapshots`, dataDir: records, dockerHost })
const engine = await backends.find((one) => one.name === name)!.open()
const machine = await engine.create({
  id: 'a',
  image,
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
