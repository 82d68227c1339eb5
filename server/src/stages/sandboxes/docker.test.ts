import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'
import { startProxy } from '#server/adapters/docker/testing-proxy.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { refusalOf, sandboxCalls, useServer } from '#server/testing/use.ts'

describe('sandboxes without an Engine', () => {
  it('are refused, with the searched address and how to install one', async () => {
    const server = await startTestServer({ config: { ...testConfig(), dockerHost: 'unix:///nowhere/docker.sock' } })
    try {
      const { id } = await server.client.createSandbox({ body: { backend: 'docker', image: BASE_IMAGE } })
      const error = await refusalOf(server.client.startSandbox({ params: { id } }))
      expect(error.code).toBe('backend_unavailable')
      expect(error.message).toMatch(/no Docker Engine at unix:\/\/\/nowhere\/docker\.sock\. Install it .* or start it/)
      expect(await server.client.getSandbox({ params: { id } })).toMatchObject({ status: 'stopped', endReason: 'start_failed' })
    } finally {
      await server.close()
    }
  })
})

describe.skipIf(testDocker === null)('sandboxes in Docker', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  beforeAll(async () => void (proxy = await startProxy(testDocker!.host)))
  afterAll(() => proxy.close())
  const server = useServer(() => ({ dockerHost: proxy.host }))
  const { client } = server
  const { created, started, exec } = sandboxCalls(server, { backend: 'docker', image: BASE_IMAGE })

  it('run set-up, sessions and standalone commands, also after the end of the session', async () => {
    const id = await started({
      setupCommands: ['cd /tmp', 'pwd >where'],
      files: [{ path: '/srv/data/a.txt', content: 'hi', encoding: 'utf8', mode: 0o600 }],
    })
    expect(await exec(id, 'cat /tmp/where /srv/data/a.txt; cd /usr; x=5')).toMatchObject({ output: '/tmp\nhi', exitCode: 0 })
    expect(await exec(id, 'echo $PWD $x; tty')).toMatchObject({ output: expect.stringMatching(/^\/usr 5\n\/dev\/pts\//) as string })
    expect(await exec(id, 'pwd; exit 4', { standalone: true })).toMatchObject({ output: '/\n', exitCode: 4 })
    expect(await exec(id, 'sleep 100', { timeoutSec: 0.2 })).toMatchObject({ timedOut: true, exitCode: 130, signalSent: 'INT' })
    expect(await exec(id, 'exit 7; echo no')).toMatchObject({ exitCode: 7, exited: true, output: '' })
    expect(await exec(id, 'cat /tmp/where', { standalone: true })).toMatchObject({ output: '/tmp\n' })
    await client.stopSandbox({ params: { id }, body: { remove: true } })
  })

  it('are lost in every state when the Engine stops; the server continues, and starts other sandboxes when the Engine is back', async () => {
    const [inSession, beside, idle] = [await started(), await started(), await started()]
    const command = 'echo >/tmp/begun; sleep 1000'
    const lost = [refusalOf(exec(inSession, command)), refusalOf(exec(beside, command, { standalone: true }))]
    for (const id of [inSession, beside]) {
      const isBegun = () => client.getSandboxFile({ params: { id }, query: { path: '/tmp/begun' } }).then(() => true, () => false) // prettier-ignore
      await expect.poll(isBegun, { timeout: 10_000 }).toBe(true)
    }
    await proxy.cut()
    for (const error of await Promise.all(lost)) expect(error).toMatchObject({ code: 'session_lost', message: expect.stringMatching(/stopped/) as string }) // prettier-ignore
    for (const id of [inSession, beside, idle])
      await expect
        .poll(async () => client.getSandbox({ params: { id } }))
        .toMatchObject({ status: 'stopped', endReason: 'session_lost', error: expect.any(String) as string })
    await expect.poll(async () => (await client.getSandboxLimits()).running).toBe(0)
    const refused = await created()
    expect(await refusalOf(client.startSandbox({ params: { id: refused } }))).toMatchObject({
      code: 'backend_unavailable',
      message: expect.stringMatching(/docker cannot be used: .*start/i) as string,
    })

    await proxy.restore()
    const id = await started()
    expect(await exec(id, 'echo back')).toMatchObject({ output: 'back' })
    await client.stopSandbox({ params: { id }, body: { remove: true } })
    expect(server.contractViolations).toEqual([])
  })
})
