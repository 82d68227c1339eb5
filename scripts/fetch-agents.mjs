// Downloads the other agents that e2e/client runs into the cache folder, once per version.
import { AGENT_NAMES, getAgent } from '../e2e/client/driver/index.mjs'

for (const name of process.argv.length > 2 ? process.argv.slice(2) : AGENT_NAMES) {
  const agent = await getAgent(name)
  console.log(agent.skip ? `${name}: ${agent.skip}` : `${name}: ${agent.bin}`)
  if (agent.skip) process.exitCode = 1
}
