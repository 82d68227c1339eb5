/** A test server that starts a process and ends before it: `node testing-restart.ts LOG`. Prints the process's mark. */
import { startProcess } from './start.ts'

const { pid, born } = await startProcess({
  command: '/bin/sh',
  args: ['-c', 'sleep 600 & echo $!; wait'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  output: { file: process.argv[2]! },
  deadlineMs: null,
  graceMs: 800,
})
process.stdout.write(JSON.stringify({ pid, born }))
