// Downloads the Claude Code clients that e2e/client runs into the cache folder, once per version.
import { getClient } from '../e2e/client/driver/index.mjs'

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['2.1.329', '2.1.50']
for (const version of versions) {
  const client = await getClient({ version })
  console.log(client.skip ? `${version}: ${client.skip}` : `${version}: ${client.bin}`)
  if (client.skip) process.exitCode = 1
}
