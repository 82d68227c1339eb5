/** `node sandbox-worker.ts`: the sandbox as a child process of a trainer, without the rest of the server. */
import { serveSandbox } from './worker.ts'

await serveSandbox(process.stdin, process.stdout)
process.exit()
