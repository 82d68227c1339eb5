/**
 * The network of a machine that may reach a list of addresses or some ports of this machine: a network namespace with only a
 * loopback. Our gateway program keeps it open, listens there and forwards each connection to a socket of this process. All
 * programs of the machine join that namespace; they cannot see the gateway program, its files or its process.
 */
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type Socket } from 'node:net'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openProxy } from '../allow-list/proxy.ts'
import type { MachineEndpoint, MachineNetwork, MachineTraffic } from '../sandbox/machine.ts'
import { NotRun } from '../sandbox/types.ts'
import { insideUser, launch, type BubblewrapTools } from './launch.ts'

/** Port of the proxy inside. */
export const PROXY_PORT = 3128
const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`
const NSENTER = '/usr/bin/nsenter'
const PROGRAM = fileURLToPath(new URL('./gateway-program.ts', import.meta.url))
const MAX_CONNECTIONS = 256
const OPTIONS = '--unshare-user --unshare-net --dev-bind / / --cap-drop ALL --die-with-parent --clearenv'

type AllowList = Extract<MachineNetwork, object>

/** Variables that tell programs to use the proxy. A loopback address on the list means this machine, so it uses the proxy too. */
export function proxyEnv({ allow }: AllowList): Record<string, string> {
  const directHosts = ['localhost', '127.0.0.1'].filter((name) => !allow.some(({ host }) => host === name)).join(',')
  return {
    HTTP_PROXY: PROXY_URL,
    HTTPS_PROXY: PROXY_URL,
    NO_PROXY: directHosts,
    http_proxy: PROXY_URL,
    https_proxy: PROXY_URL,
    no_proxy: directHosts,
  }
}

/** A bash script that prints a line if the proxy does not refuse an address that cannot be on a list. */
export const GATEWAY_PROBE = `
exec 3<>/dev/tcp/127.0.0.1/${PROXY_PORT} || echo "the proxy cannot be reached"
printf 'CONNECT 0.0.0.0:0 HTTP/1.1\\r\\nHost: 0.0.0.0:0\\r\\n\\r\\n' >&3
read -r _ code _ <&3
[ "$code" = 403 ] || echo "the proxy answered \${code:-nothing} to an address that is not on the list"
`

export interface Gateway {
  /** The command that starts another command in this network. Throws `NotRun` if the gateway has ended. */
  enterCommand(): string[]
  /** Throws if a process is not in this network. */
  requireInside(pid: number): void
  /** Null if there is no list of addresses. */
  traffic(): MachineTraffic | null
  resetTraffic(): void
  close(): Promise<void>
}

/** Connects a port inside with a socket of this process. */
interface Route {
  port: number
  socket: string
  accept: (connection: Socket) => void
}

export interface GatewayRequest {
  /** A folder of the machine that is not visible inside. */
  folder: string
  /** Null if no address may be reached. */
  list: AllowList | null
  endpoints: readonly MachineEndpoint[]
}

/** Throws `NotRun` if this system does not support it. */
export async function openGateway(tools: BubblewrapTools, { folder, list, endpoints }: GatewayRequest): Promise<Gateway> {
  if (!fs.existsSync(NSENTER)) throw new NotRun('isolation_unavailable', `network: a separate network needs ${NSENTER} (of util-linux).`)
  const proxy = list && openProxy({ allow: list.allow })
  const sockets = new Set<Socket>()
  const routes: Route[] = [
    ...(proxy ? [{ port: PROXY_PORT, socket: path.join(folder, 'd'), accept: (connection: Socket) => proxy.accept(connection) }] : []),
    ...endpoints.map(({ port, to }) => ({
      port,
      socket: path.join(folder, `e${port}`),
      accept: (connection: Socket) => connectToPort(connection, to, sockets),
    })),
  ]
  const servers = routes.map(({ accept }) => net.createServer({ allowHalfOpen: true }, accept))
  const close = () => {
    proxy?.close()
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  }
  try {
    const owner = insideUser()
    for (const [index, { socket }] of routes.entries()) {
      servers[index]!.maxConnections = MAX_CONNECTIONS
      servers[index]!.listen(socket)
      await once(servers[index]!, 'listening')
      fs.chmodSync(socket, 0o600)
      if (owner) fs.chownSync(socket, owner.uid, owner.gid)
    }
    const { bwrap, ready, waitForEnd } = await launch(tools, {
      options: () => OPTIONS.split(' '),
      command: [process.execPath, PROGRAM, ...routes.flatMap(({ socket, port }) => [socket, String(port)])],
      stdio: ['ignore', 'pipe', 'pipe'],
      beforeStart: () => undefined,
      deadlineMs: null,
    })
    const [, output, errors] = bwrap.streams as readonly Readable[]
    const errorText = text(errors!)
    const firstPid = await ready
    const isOpen = firstPid !== null && (await Promise.race([once(output!, 'data').then(() => true), bwrap.exit.then(() => false)]))
    if (!isOpen) {
      await waitForEnd(0)
      throw new NotRun('isolation_unavailable', `network: the gateway did not start: ${(await errorText).trim().slice(0, 500)}`)
    }
    let hasEnded = false
    void bwrap.exit.then(() => (hasEnded = true))
    const network = networkOf(firstPid)
    if (network === networkOf(process.pid)) {
      await bwrap.end()
      throw new NotRun('isolation_unavailable', 'network: bubblewrap did not create a separate network.')
    }
    return {
      enterCommand() {
        if (hasEnded) throw new NotRun('invalid_request', 'The network of the machine has ended. Start it again.')
        return [NSENTER, '--preserve-credentials', `--user=/proc/${firstPid}/ns/user`, `--net=/proc/${firstPid}/ns/net`, '--']
      },
      requireInside(pid) {
        if (networkOf(pid) !== network) throw new Error('the program is not in the network of its machine')
      },
      traffic: () => proxy?.traffic() ?? null,
      resetTraffic: () => proxy?.resetTraffic(),
      async close() {
        await bwrap.end()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Forwards a connection to one of our ports, in both directions. */
function connectToPort(inner: Socket, port: number, sockets: Set<Socket>): void {
  const outer = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  for (const [one, other] of [[inner, outer], [outer, inner]] as const) {
    sockets.add(one)
    one.on('error', () => other.destroy()).once('close', () => (sockets.delete(one), other.destroy()))
  } // prettier-ignore
  inner.pipe(outer).pipe(inner)
}

const networkOf = (pid: number) => fs.readlinkSync(`/proc/${pid}/ns/net`)
