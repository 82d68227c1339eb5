/** A proxy for the Engine's socket. `cut` closes it as if the Engine had died; `restore` opens it again. */
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

export async function startProxy(host: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'proxy-'))
  const socket = path.join(folder, 'socket')
  const connections = new Set<net.Socket>()
  let server: net.Server
  const restore = () => {
    server = net.createServer({ allowHalfOpen: true }, (client) => {
      const engine = net.connect({ path: host.slice('unix://'.length), allowHalfOpen: true })
      for (const [from, to] of [[client, engine], [engine, client]] as const) {
        connections.add(from)
        from.on('error', () => to.destroy()).on('close', () => connections.delete(from))
        from.pipe(to)
      }
    }) // prettier-ignore
    return new Promise<void>((resolve) => server.listen(socket, resolve))
  }
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const connection of connections) connection.destroy()
    await closed
  }
  await restore()
  return {
    host: `unix://${socket}`,
    cut,
    restore,
    close: async () => {
      await cut()
      fs.rmSync(folder, { recursive: true })
    },
  }
}
