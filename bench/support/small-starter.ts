/** A small process beside the measured one: starts a bare bubblewrap with a bash for each message, and answers with the ms until its first response. */
import { bareBwrap } from './arena-peers.ts'

process.on('message', () => {
  void (async () => {
    const began = performance.now()
    const shell = bareBwrap()
    await shell.echo()
    const ms = performance.now() - began
    await shell.end()
    process.send!(ms)
  })()
})
