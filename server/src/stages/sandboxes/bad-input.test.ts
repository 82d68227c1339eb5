import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AppError } from '#contracts/errors.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { canMount } from '#server/testing/mounts.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import { newFolder } from '#server/testing/folders.ts'
import { refusalOf, sandboxCalls, useServer } from '#server/testing/use.ts'

const LARGEST = 1_048_576
const LARGEST_CHECKED = 256 * 1024

describe.skipIf(findBubblewrap() === null)('bad input', () => {
  const server = useServer(() => ({ dockerHost: 'unix:///nowhere/docker.sock' }))
  const { client } = server
  const { created, exec } = sandboxCalls(server)
  /** Sandboxes that are running, stopped, and created but not started. */
  let running: string
  let stopped: string
  let fresh: string
  beforeAll(async () => {
    ;[running, stopped, fresh] = [await created(), await created(), await created()]
    for (const id of [running, stopped]) await client.startSandbox({ params: { id } })
    await client.stopSandbox({ params: { id: stopped }, body: {} })
  })
  const none = { params: { id: 'no-such-id' } }

  it.each<[string, () => Promise<unknown>, string, RegExp?]>([
    ['an unknown id: read', () => client.getSandbox(none), 'sandbox_not_found', /no-such-id/],
    ['an unknown id: start', () => client.startSandbox(none), 'sandbox_not_found'],
    ['an unknown id: a command', () => exec('no-such-id', 'ls'), 'sandbox_not_found'],
    ['an unknown id: interrupt', () => client.interruptSandbox({ ...none, body: {} }), 'sandbox_not_found'],
    ['an unknown id: a session', () => client.openSandboxSession({ ...none, body: { session: 'a' } }), 'sandbox_not_found'],
    ['an unknown id: its commands', () => client.getSandboxTrajectory(none), 'sandbox_not_found'],
    ['an unknown id: its commands as text', () => client.getSandboxTrajectoryText(none), 'sandbox_not_found'],
    ['an unknown id: stop', () => client.stopSandbox({ ...none, body: {} }), 'sandbox_not_found'],
    ['an unknown id: write', () => client.putSandboxFile({ ...none, body: { path: '/a', content: '' } }), 'sandbox_not_found'],
    ['an unknown id: a file', () => client.getSandboxFile({ ...none, query: { path: '/a' } }), 'sandbox_not_found'],
    ['a second start', () => client.startSandbox({ params: { id: running } }), 'sandbox_already_started'],
    ['a start after the end', () => client.startSandbox({ params: { id: stopped } }), 'sandbox_already_started'],
    ['a second stop', () => client.stopSandbox({ params: { id: stopped }, body: {} }), 'sandbox_not_started', /stopped before/],
    ['a stop before the start', () => client.stopSandbox({ params: { id: fresh }, body: {} }), 'sandbox_not_started', /not started/],
    ['a command before the start', () => exec(fresh, 'ls'), 'sandbox_not_started', /not started/],
    ['a command after the end', () => exec(stopped, 'ls'), 'sandbox_not_started', /was stopped/],
    ['a session that is not there', () => exec(running, 'ls', { session: 'nope' }), 'session_not_found', /"nope"/],
    ['a session that is there', () => client.openSandboxSession({ params: { id: running }, body: { session: 'main' } }), 'session_exists'], // prettier-ignore
    ['a name that is none', () => exec(running, 'ls', { session: 'No Name' }), 'invalid_request', /"session"/],
    ['a command with a NUL', () => exec(running, 'echo a\0b'), 'invalid_request', /NUL/],
    ['a command that is too long', () => exec(running, 'x'.repeat(LARGEST + 1)), 'invalid_request', /"command"/],
    ['a command that is too long to be checked', () => exec(running, 'x'.repeat(LARGEST)), 'payload_too_large', /256 KB/],
    ['an unclosed quote', () => exec(running, "echo 'open"), 'command_blocked', /quote/],
    ['an unclosed bracket', () => exec(running, '(echo a'), 'command_blocked', /'\)'/],
    ['a folder that is not there', () => exec(running, 'ls', { standalone: true, cwd: '/nowhere' }), 'path_refused', /\/nowhere/],
    ['a variable that cannot be', () => exec(running, 'ls', { standalone: true, env: { 'A=B': 'c' } }), 'invalid_request', /env/],
    ['a relative path', () => client.putSandboxFile({ params: { id: running }, body: { path: 'a', content: '' } }), 'invalid_request', /"path"/], // prettier-ignore
    ["a file among the system's", () => client.putSandboxFile({ params: { id: running }, body: { path: '/usr/a', content: '' } }), 'path_refused', /\/usr/], // prettier-ignore
    ['a file that is not there', () => client.getSandboxFile({ params: { id: running }, query: { path: '/nowhere' } }), 'path_refused', /does not exist/], // prettier-ignore
    ['a folder as a file', () => client.getSandboxFile({ params: { id: running }, query: { path: '/tmp' } }), 'path_refused', /\/tmp/],
  ])('%s is refused with its reason, and nothing else changes', async (_, call, code, reason = /./) => {
    expect(await refusalOf(call())).toMatchObject({ code, message: expect.stringMatching(reason) as string })
    expect(await exec(running, 'echo on')).toMatchObject({ output: 'on', exitCode: 0 })
  })

  it.each([
    ['nothing', ''],
    ['as much as can be checked', `: ${'x'.repeat(LARGEST_CHECKED - 2)}`],
  ])('%s is a command like any other', async (_, command) => {
    expect(await exec(running, command)).toMatchObject({ output: '', exitCode: 0, exited: false, timedOut: false })
    expect(await exec(running, command, { standalone: true })).toMatchObject({ output: '', exitCode: 0 })
  })

  it('reads bytes that are not UTF-8 as replacement characters', async () => {
    const body = Buffer.concat([Buffer.from('{"command":"echo a'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}')])
    const response = await fetch(`${server.url}/api/sandboxes/${running}/exec`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'application/json' },
      body,
    })
    expect(await response.json()).toMatchObject({ output: 'a\ufffd\ufffdb', exitCode: 0 })
  })

  it('refuses calls during a start; a missing engine is an error that says how to install it', async () => {
    const { id } = await client.createSandbox({ body: { setupCommands: ['until [ -e /tmp/go ]; do sleep 0.01; done'] } })
    const start = client.startSandbox({ params: { id } }).catch((error: AppError) => error.code)
    await expect.poll(async () => (await client.getSandbox({ params: { id } })).phase).toBe('setup')
    expect((await refusalOf(client.startSandbox({ params: { id } }))).code).toBe('sandbox_already_started')
    expect(await refusalOf(exec(id, 'ls'))).toMatchObject({ code: 'sandbox_not_started', message: /still starting/ })
    await client.stopSandbox({ params: { id }, body: {} })
    expect(await start).toBe('sandbox_not_started')

    const absent = (await client.createSandbox({ body: { backend: 'docker', image: 'debian' } })).id
    expect(await refusalOf(client.startSandbox({ params: { id: absent } }))).toMatchObject({
      code: 'backend_unavailable',
      message: expect.stringMatching(/docker.*nowhere.*apt-get install docker\.io/s) as string,
    })
    expect((await client.getSandboxLimits()).running).toBe(1)
  })

  it.runIf(canMount)(
    'reports a full disk, keeps running sandboxes, leaves nothing behind, and starts again once there is space',
    async () => {
      const root = newFolder()
      // a server with a separate /var/tmp
      const mounted = 'mount -t tmpfs -o size=16m tmpfs /var/tmp && exec "$@"'
      const own = await startOwnServer(root, ['unshare', '--mount', 'sh', '-c', mounted, 'sh'])
      try {
        const created = async () => (await own.client.createSandbox({ body: {} })).id
        const start = (id: string) => own.client.startSandbox({ params: { id } })
        const run = (id: string, command: string) => own.client.execInSandbox({ params: { id }, body: { command } })
        const first = await created()
        await start(first)
        await run(first, 'head -c 20000000 /dev/zero >/tmp/filler; for n in $(seq 1000); do echo x >/tmp/$n; done')
        expect(await run(first, 'echo x >/tmp/last')).toMatchObject({ output: expect.stringContaining('No space left') as string, exitCode: 1 }) // prettier-ignore
        const second = await created()
        expect(await refusalOf(start(second))).toMatchObject({ code: 'disk_full', message: expect.stringContaining('/var/tmp/') as string })
        expect(await own.client.getSandbox({ params: { id: second } })).toMatchObject({ status: 'stopped', endReason: 'start_failed' })
        expect(fs.readdirSync(path.join(root, 'home', 'boxes'))).toHaveLength(1)
        expect(await run(first, 'rm /tmp/*; echo on')).toMatchObject({ output: 'on' })
        const third = await created()
        await start(third)
        expect(await run(third, 'echo on')).toMatchObject({ output: 'on', exitCode: 0 })
      } finally {
        await own.end()
      }
    },
  )
})
