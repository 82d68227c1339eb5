/** `node testing-owner.ts ENGINE RECORDS IMAGE SECONDS [DOCKER_HOST]`: owns a machine until it is killed. In the machine, `sleep SECONDS` runs on pipes
 * and on a terminal; the unusual number is how the test finds these processes. */
import { createBackends } from './backends.ts'

const [, , name, records, image, seconds, dockerHost] = process.argv as [string, string, string, string, string, string, string?]
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
  leftAs: 'work',
})
await machine.open({ argv: ['sleep', seconds], terminal: null })
const shell = await machine.open({ argv: ['sh', '-c', `sleep ${seconds} & echo started; wait`], terminal: { columns: 80, rows: 24 } })
shell.output.once('data', () => process.stdout.write('running\n'))
