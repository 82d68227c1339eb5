import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { vi } from 'vitest'
import { rayApi } from '#server/adapters/engine/ray-api.ts'
import { cacheDir } from '../../scripts/lib/probe.mjs'

const RAY = path.join(cacheDir, 'ray', 'bin', 'ray')
export const hasRay = fs.existsSync(RAY)
/** For `beforeAll`: a busy machine needs minutes to start a cluster. */
export const CLUSTER_TIMEOUT_MS = 480_000

export interface RayCluster {
  address: string
  tokenFile: string
  end(): void
}

/** Starts a real Ray cluster with one node. `folder` has a short path, because Ray creates sockets in it. */
export async function startCluster(folder: string): Promise<RayCluster> {
  const tokenFile = path.join(folder, 'token')
  fs.writeFileSync(tokenFile, 'a-token-of-this-test-0123456789abcdef', { mode: 0o600 })
  const [port, dashboard, agent, agentGrpc] = (await freePorts(4)) as [number, number, number, number]
  const address = `http://127.0.0.1:${dashboard}`
  // the agent's ports too: with those of another cluster taken, this one never has an agent for a job
  const options = { '--node-ip-address': '127.0.0.1', '--dashboard-host': '127.0.0.1', '--port': port, '--dashboard-port': dashboard, '--dashboard-agent-listen-port': agent, '--dashboard-agent-grpc-port': agentGrpc, '--num-cpus': 2, '--temp-dir': path.join(folder, 'r'), '--object-store-memory': 100_000_000, '--min-worker-port': 0, '--max-worker-port': 0 } // prettier-ignore
  const cluster = spawn(
    RAY,
    ['start', '--head', '--block', '--disable-usage-stats', ...Object.entries(options).map(([name, value]) => `${name}=${value}`)],
    {
      detached: true, // a separate process group, so that all its processes can be killed together
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: folder, RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER: '0', RAY_AUTH_MODE: 'token', RAY_AUTH_TOKEN_PATH: tokenFile }, // prettier-ignore
    },
  )
  const end = () => {
    if (cluster.pid !== undefined) process.kill(-cluster.pid, 'SIGKILL')
  }
  try {
    // the dashboard answers before the cluster accepts jobs
    const takesJobs = () => rayApi({ address, tokenFile }).submit({ submission_id: randomUUID(), entrypoint: 'true', metadata: {} })
    await vi.waitFor(takesJobs, { timeout: CLUSTER_TIMEOUT_MS - 10_000, interval: 500 })
  } catch (error) {
    end()
    throw error
  }
  return { address, tokenFile, end }
}

/** Returns different free ports. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  return Promise.all(
    servers.map(async (server) => {
      const { port } = server.address() as { port: number }
      server.close()
      await once(server, 'close')
      return port
    }),
  )
}
