/** A test server that has a process with a child started by the spawner. Prints the numbers of all three. */
import { theSpawner } from './spawner.ts'
import { startProcess } from './start.ts'

const { pid } = await startProcess({
  command: '/bin/sh',
  args: ['-c', 'trap "" HUP TERM PIPE; sleep 600 & echo $!; wait'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  output: {
    onLine: (child) => void theSpawner().then((spawner) => process.stdout.write(`${JSON.stringify([spawner.pid, pid, Number(child)])}\n`)),
  },
  deadlineMs: null,
  graceMs: 800,
  often: true,
})
