// `node scripts/with-docker.mjs COMMAND…`: starts a temporary Docker Engine and runs a command with DOCKER_HOST set to it. Needs root.
import { spawn } from 'node:child_process'
import { startEngine } from './lib/docker-engine.mjs'
import { fail, withTools } from './lib/setup.mjs'

const [command, ...args] = process.argv.slice(2)
if (command === undefined) fail('Usage: node scripts/with-docker.mjs COMMAND [ARGUMENT…]')

const engine = await startEngine().catch((error) => fail(error.message))
const child = spawn(command, args, { stdio: 'inherit', env: withTools({ DOCKER_HOST: engine.host }) })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
process.exitCode = await new Promise((resolve) => {
  child.once('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`)
    resolve(1)
  })
  child.once('exit', (code) => resolve(code ?? 1))
})
await engine.stop()
