/**
 * `node gateway-program.ts SOCKET PORT [SOCKET PORT …]`: runs in the network of a machine, but not with its files or
 * processes. Forwards every connection to PORT of the machine's loopback to our Unix socket SOCKET, without any check.
 */
import net from 'node:net'

const routes = process.argv.slice(2)
const listening: Promise<void>[] = []
for (let index = 0; index < routes.length; index += 2) {
  const [path, port] = routes.slice(index) as [string, string]
  const server = net.createServer({ allowHalfOpen: true }, (inner) => {
    const outer = net.connect({ path, allowHalfOpen: true })
    inner.once('close', () => outer.destroy()).on('error', () => outer.destroy())
    outer.once('close', () => inner.destroy()).on('error', () => inner.destroy())
    inner.pipe(outer).pipe(inner)
  })
  server.maxConnections = 256
  listening.push(new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve)))
}
await Promise.all(listening)
process.stdout.write('open\n')
