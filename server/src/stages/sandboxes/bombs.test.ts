import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { type OwnServer, startOwnServer } from '#server/testing/own-server.ts'

/** The time limit of each bomb, and the resources that it is given. */
const BOMB_SEC = 3
const LIMITS = { memoryMb: 128, pids: 64, diskMb: 64, nofile: 256 }

/** Run as files, because a guardrail would block them as commands. */
const BOMBS = {
  processes: 'bomb() { bomb | bomb & }; bomb; while :; do bomb; done',
  memory: 'x=x; while :; do x=$x$x$x$x; done',
  disk: 'n=0; while :; do head -c 8000000 /dev/zero >/tmp/$n; n=$((n + 1)); done',
  descriptors: 'while :; do exec {fd}</dev/null; done',
  output: 'yes & cat /dev/zero',
}

describe.skipIf(findBubblewrap() === null)('a server', () => {
  let root: string
  let server: OwnServer
  beforeAll(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bombs-'))
    server = await startOwnServer(root)
  })
  afterAll(async () => {
    await server.end()
    fs.rmSync(root, { recursive: true, force: true })
  })
  const started = async () => {
    const { id } = await server.client.createSandbox({ body: { limits: LIMITS } })
    await server.client.startSandbox({ params: { id } })
    return id
  }
  const exec = (id: string, command: string, timeoutSec = 30) =>
    server.client.execInSandbox({ params: { id }, body: { command, timeoutSec } })
  const remove = (id: string) => server.client.stopSandbox({ params: { id }, body: { remove: true } })
  const healthMs = async () => {
    const asked = performance.now()
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    return performance.now() - asked
  }

  it.each(Object.entries(BOMBS))(
    'answers within a second while a sandbox uses up its %s, and other sandboxes keep working',
    async (_, script) => {
      const [id, other] = await Promise.all([started(), started()])
      await server.client.putSandboxFile({ params: { id }, body: { path: '/root/bomb', content: script } })
      const over = new AbortController()
      const bomb = exec(id, 'bash /root/bomb', BOMB_SEC)
        .catch(() => null) // the sandbox may have been stopped
        .finally(() => over.abort())
      const times: number[] = []
      while (!over.signal.aborted) {
        times.push(await healthMs())
        await sleep(20)
      }
      await bomb
      // one answer in ten may be late, because other programs also use this machine
      expect(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)]).toBeLessThan(1000)
      expect(await exec(other, 'echo on')).toMatchObject({ output: 'on', exitCode: 0 })
      await Promise.all([remove(id), remove(other)])
    },
  )
})
