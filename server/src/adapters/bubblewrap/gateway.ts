/**
 * The network of a machine that may reach a list of addresses, or single ports of ours: a network namespace with nothing but
 * a loopback, held open by a program of ours that listens there and hands every connection to a socket on this side. All
 * programs of the machine join that namespace; none of them can see the program, which lies outside their processes and files.
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
import { insideUser, launch, type Means } from './launch.ts'

/** Where the proxy is found inside. */
export const PORT = 3128
const ADDRESS = `http://127.0.0.1:${PORT}`
const NSENTER = '/usr/bin/nsenter'
const PROGRAM = fileURLToPath(new URL('./gateway-program.ts', import.meta.url))
const MAX_CONNECTIONS = 256
const OPTIONS = '--unshare-user --unshare-net --dev-bind / / --cap-drop ALL --die-with-parent --clearenv'

type AllowList = Extract<MachineNetwork, object>

/** Variables by which programs find the proxy. A loopback address on the list is one of this machine, so it goes through the proxy. */
export function proxyEnv({ allow }: AllowList): Record<string, string> {
  const own = ['localhost', '127.0.0.1'].filter((name) => !allow.some(({ host }) => host === name)).join(',')
  return { HTTP_PROXY: ADDRESS, HTTPS_PROXY: ADDRESS, NO_PROXY: own, http_proxy: ADDRESS, https_proxy: ADDRESS, no_proxy: own }
}

/** For bash: prints a line where the proxy does not refuse what no list can name. */
export const GATEWAY_PROBE = `
exec 3<>/dev/tcp/127.0.0.1/${PORT} || echo "the proxy cannot be reached"
printf 'CONNECT 0.0.0.0:0 HTTP/1.1\\r\\nHost: 0.0.0.0:0\\r\\n\\r\\n' >&3
read -r _ code _ <&3
[ "$code" = 403 ] || echo "the proxy answered \${code:-nothing} to an address that is not on the list"
`

export interface Gateway {
  /** What starts a program in this network. Throws `NotRun` once the gateway has ended. */
  enter(): string[]
  /** Throws if a process is in another network. */
  requireInside(pid: number): void
  /** Null: it has no list of addresses. */
  traffic(): MachineTraffic | null
  resetTraffic(): void
  close(): Promise<void>
}

/** What a port inside leads to. */
interface Way {
  port: number
  socket: string
  take: (connection: Socket) => void
}

export interface GatewayRequest {
  /** A folder of the machine that is not shown inside. */
  folder: string
  /** Null: no address can be reached. */
  list: AllowList | null
  endpoints: readonly MachineEndpoint[]
}

/** Throws `NotRun` if there can be no such network here. */
export async function openGateway(means: Means, { folder, list, endpoints }: GatewayRequest): Promise<Gateway> {
  if (!fs.existsSync(NSENTER)) throw new NotRun('isolation_unavailable', `network: a network of its own needs ${NSENTER} (of util-linux).`)
  const proxy = list && openProxy({ allow: list.allow })
  const open = new Set<Socket>()
  const ways: Way[] = [
    ...(proxy ? [{ port: PORT, socket: path.join(folder, 'd'), take: (connection: Socket) => proxy.take(connection) }] : []),
    ...endpoints.map(({ port, to }) => ({
      port,
      socket: path.join(folder, `e${port}`),
      take: (connection: Socket) => join(connection, to, open),
    })),
  ]
  const servers = ways.map(({ take }) => net.createServer({ allowHalfOpen: true }, take))
  const close = () => {
    proxy?.close()
    for (const socket of open) socket.destroy()
    for (const server of servers) server.close()
  }
  try {
    const owner = insideUser()
    for (const [index, { socket }] of ways.entries()) {
      servers[index]!.maxConnections = MAX_CONNECTIONS
      servers[index]!.listen(socket)
      await once(servers[index]!, 'listening')
      fs.chmodSync(socket, 0o600)
      if (owner) fs.chownSync(socket, owner.uid, owner.gid)
    }
    const { bwrap, ready, ended } = await launch(means, {
      options: () => OPTIONS.split(' '),
      command: [process.execPath, PROGRAM, ...ways.flatMap(({ socket, port }) => [socket, String(port)])],
      stdio: ['ignore', 'pipe', 'pipe'],
      onBorn: () => undefined,
      deadlineMs: null,
    })
    const [, output, errors] = bwrap.streams as readonly Readable[]
    const errorText = text(errors!)
    const first = await ready
    const isOpen = first !== null && (await Promise.race([once(output!, 'data').then(() => true), bwrap.exit.then(() => false)]))
    if (!isOpen) {
      await ended(0)
      throw new NotRun('isolation_unavailable', `network: the way out did not open: ${(await errorText).trim().slice(0, 500)}`)
    }
    let hasEnded = false
    void bwrap.exit.then(() => (hasEnded = true))
    const network = networkOf(first)
    if (network === networkOf(process.pid)) {
      await bwrap.end()
      throw new NotRun('isolation_unavailable', 'network: bubblewrap gave no network of its own.')
    }
    return {
      enter() {
        if (hasEnded) throw new NotRun('invalid_request', 'The network of the machine has ended. Start it again.')
        return [NSENTER, '--preserve-credentials', `--user=/proc/${first}/ns/user`, `--net=/proc/${first}/ns/net`, '--']
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

/** Connects both ways to one of our ports, and to nothing else. */
function join(inner: Socket, port: number, open: Set<Socket>): void {
  const outer = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  for (const [one, other] of [[inner, outer], [outer, inner]] as const) {
    open.add(one)
    one.on('error', () => other.destroy()).once('close', () => (open.delete(one), other.destroy()))
  } // prettier-ignore
  inner.pipe(outer).pipe(inner)
}

const networkOf = (pid: number) => fs.readlinkSync(`/proc/${pid}/ns/net`)
