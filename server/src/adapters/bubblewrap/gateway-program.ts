/**
 * `node gateway-program.ts SOCKET PORT [SOCKET PORT …]`: runs in the network of a machine, outside everything else of it, and
 * hands what is connected to a port of its loopback to a socket of ours. It decides nothing.
 */
import net from 'node:net'

const ways = process.argv.slice(2)
const opened: Promise<void>[] = []
for (let index = 0; index < ways.length; index += 2) {
  const [path, port] = ways.slice(index) as [string, string]
  const server = net.createServer({ allowHalfOpen: true }, (inner) => {
    const outer = net.connect({ path, allowHalfOpen: true })
    inner.once('close', () => outer.destroy()).on('error', () => outer.destroy())
    outer.once('close', () => inner.destroy()).on('error', () => inner.destroy())
    inner.pipe(outer).pipe(inner)
  })
  server.maxConnections = 256
  opened.push(new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve)))
}
await Promise.all(opened)
process.stdout.write('open\n')
