/**
 * `node gateway-program.ts SOCKET PORT`: runs in the network of a machine, outside everything else of it, and hands what is
 * connected to its loopback to a socket of ours. It decides nothing.
 */
import net from 'node:net'

const [, , path, port] = process.argv as [string, string, string, string]
const server = net.createServer({ allowHalfOpen: true }, (inner) => {
  const outer = net.connect({ path, allowHalfOpen: true })
  inner.once('close', () => outer.destroy()).on('error', () => outer.destroy())
  outer.once('close', () => inner.destroy()).on('error', () => inner.destroy())
  inner.pipe(outer).pipe(inner)
})
server.maxConnections = 256
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('open\n'))
