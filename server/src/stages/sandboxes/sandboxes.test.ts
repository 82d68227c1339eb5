import fs from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServerMessage } from '#contracts/messages.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { refusalOf, sandboxCalls, useServer } from '#server/testing/use.ts'

describe.skipIf(findBubblewrap() === null)('sandboxes', () => {
  const server = useServer(() => ({ sandboxes: { running: 2, queue: 1 } }))
  const { client } = server
  const { created, started, exec, remove } = sandboxCalls(server)
  const published: ServerMessage[] = []
  beforeAll(() => void server.app.core.events.subscribe((message) => published.push(message)))

  it('runs set-up, files, sessions and standalone commands, and records their results', async () => {
    const id = await started({
      setupCommands: ['cd /tmp', 'pwd > where.txt'],
      files: [{ path: '/srv/data/a.txt', content: 'aGk=', encoding: 'base64', mode: 0o600 }],
      env: { COLOUR: 'blue' },
    })
    const shown = await client.getSandbox({ params: { id } })
    expect([shown.envNames, JSON.stringify(shown).includes('blue')]).toEqual([['COLOUR'], false])
    expect(await exec(id, 'cat /tmp/where.txt /srv/data/a.txt; echo " $COLOUR"; stat -c %a /srv/data/a.txt')).toMatchObject({
      output: '/tmp\nhi blue\n600',
      exitCode: 0,
    })
    expect(await exec(id, 'cd /usr; x=5; false')).toMatchObject({ output: '', exitCode: 1, exited: false })
    expect(await exec(id, 'echo $? $PWD $x')).toMatchObject({ output: '1 /usr 5' })
    expect(await exec(id, 'pwd', { standalone: true, cwd: '/tmp' })).toMatchObject({ output: '/tmp\n', exitCode: 0 })
    expect(await exec(id, 'cat; exit 9', { standalone: true, stdin: 'in' })).toMatchObject({ output: 'in', exitCode: 9 })
    expect(await exec(id, 'sleep 100', { timeoutSec: 0.2 })).toMatchObject({ timedOut: true, exitCode: 130, signalSent: 'INT' })
    await client.putSandboxFile({ params: { id }, body: { path: '/root/b', content: 'two' } })
    expect(await (await client.getSandboxFile({ params: { id }, query: { path: '/root/b' } })).text()).toBe('two')

    await client.openSandboxSession({ params: { id }, body: { session: 'other', tty: false } })
    expect(await exec(id, 'echo "[$x]"; tty', { session: 'other' })).toMatchObject({ output: '[]\nnot a tty', exitCode: 1 })
    expect(await exec(id, 'exit 7; echo no')).toMatchObject({ exitCode: 7, exited: true, output: '' })
    expect((await refusalOf(exec(id, 'pwd'))).code).toBe('session_exited')
    expect(await exec(id, 'cat /tmp/where.txt', { standalone: true })).toMatchObject({ output: '/tmp\n' })
    expect(await client.getSandbox({ params: { id } })).toMatchObject({ status: 'exited', sessions: ['other'], lastStandaloneExitCode: 0 })

    const { trajectory } = await client.getSandboxTrajectory({ params: { id }, query: { session: 'main' } })
    expect(trajectory.map(({ command, result }) => [command, result?.exitCode])).toEqual([
      [expect.stringContaining('cat /tmp'), 0],
      ['cd /usr; x=5; false', 1],
      ['echo $? $PWD $x', 0],
      ['sleep 100', 130],
      ['exit 7; echo no', 7],
    ])
    const text = await (await client.getSandboxTrajectoryText({ params: { id } })).text()
    expect(text).toContain('$ echo $? $PWD $x\n1 /usr 5\n')
    await remove(id)
    expect((await refusalOf(client.getSandbox({ params: { id } }))).code).toBe('sandbox_not_found')
    const types = new Set(published.map(({ type }) => type))
    for (const type of ['sandbox:status', 'sandbox:removed', 'sandbox:activity', 'sandbox:queue'] as const) expect(types).toContain(type)
    await expect.poll(() => fs.readdirSync(server.app.core.paths.boxes)).toEqual([])
  })

  it('reports the usage of running sandboxes', async () => {
    const id = await started()
    await expect
      .poll(() => published.some((one) => one.type === 'sandbox:usage' && one.payload.items.some((item) => item.id === id)))
      .toBe(true)
    const [usage] = (await client.listSandboxUsage()).items
    expect(usage).toMatchObject({ id, processes: expect.any(Number) as number, memoryBytes: expect.any(Number) as number })
    await remove(id)
  })

  it('undoes a failed start and reports the command that failed', async () => {
    const id = await created({ setupCommands: ['true', 'echo oh; exit 3'] })
    const error = await refusalOf(client.startSandbox({ params: { id } }))
    expect(error).toMatchObject({
      code: 'setup_failed',
      details: { index: 1, exitCode: 3, outputTail: expect.stringContaining('oh') as string },
    })
    expect(await client.getSandbox({ params: { id } })).toMatchObject({ status: 'stopped', endReason: 'start_failed' })
    expect((await client.getSandboxLimits()).running).toBe(0)
    expect((await refusalOf(client.startSandbox({ params: { id } }))).code).toBe('sandbox_already_started')
    expect((await refusalOf(exec(id, 'ls'))).code).toBe('sandbox_not_started')
    const none = await created({ image: 'no-such-image' })
    expect((await refusalOf(client.startSandbox({ params: { id: none } }))).code).toBe('image_unavailable')
    const open = await created({ network: 'open', backend: 'bubblewrap' })
    expect((await refusalOf(client.startSandbox({ params: { id: open } }))).code).toBe('isolation_unavailable')
  })

  it('are limited in number: the next sandbox waits in the queue or is refused', async () => {
    const [a, b] = [await started(), await started()]
    const c = await created()
    const waiting = client.startSandbox({ params: { id: c } })
    await expect.poll(async () => (await client.getSandbox({ params: { id: c } })).queuePosition).toBe(1)
    const d = await created()
    const refused = await refusalOf(client.startSandbox({ params: { id: d }, body: { wait: false } }))
    expect(refused).toMatchObject({ code: 'sandbox_capacity', details: { reason: 'no_wait', running: 2, limit: 2 } })
    expect((await refusalOf(client.startSandbox({ params: { id: d } }))).details).toMatchObject({ reason: 'queue_full' })
    await remove(a)
    expect(await waiting).toMatchObject({ status: 'started' })
    await Promise.all([remove(b), remove(c)])
  })

  it('runs the commands of a session one after the other; a second caller may refuse to wait', async () => {
    const id = await started()
    const first = exec(id, 'sleep 0.3; echo one')
    await expect.poll(async () => (await client.getSandbox({ params: { id } })).busy).toBe(true)
    expect((await refusalOf(exec(id, 'echo two', { wait: false }))).code).toBe('session_busy')
    const second = exec(id, 'echo two')
    expect([(await first).output, (await second).output]).toEqual(['one', 'two'])
    const long = exec(id, 'sleep 100')
    await expect.poll(async () => (await client.getSandboxTrajectory({ params: { id } })).commandCount).toBe(3)
    await client.interruptSandbox({ params: { id }, body: {} })
    expect(await long).toMatchObject({ exitCode: 130, timedOut: false })
    await remove(id)
  })

  it('does not run commands that a guardrail blocks, and gives the reason', async () => {
    const id = await started()
    const blocked = await refusalOf(exec(id, 'rm -rf /'))
    expect(blocked).toMatchObject({
      code: 'command_blocked',
      message: 'Blocked: this would delete a system or home folder.',
      details: { rule: expect.any(String) as string },
    })
    expect(published.some(({ type }) => type === 'guardrail:blocked')).toBe(true)
    expect(await refusalOf(exec(id, 'bash', { standalone: true, stdin: 'cd /\nrm -rf *\n' }))).toMatchObject({ code: 'command_blocked' })
    expect((await client.getSandboxTrajectory({ params: { id } })).trajectory).toMatchObject([
      { command: 'rm -rf /', blocked: { rule: 'remove-protected', reason: 'This would delete a system or home folder.' }, result: null },
    ])
    expect(await (await client.getSandboxTrajectoryText({ params: { id } })).text()).toBe(
      '$ rm -rf /\n[blocked by remove-protected: This would delete a system or home folder.]\n',
    )
    await remove(id)
  })

  it('checks session, standalone and set-up commands against the guardrails of the sandbox', async () => {
    const strict = await started({ guard: { 'hard-reset': 'block' } })
    for (const standalone of [false, true])
      expect(await refusalOf(exec(strict, 'git reset --hard', { standalone }))).toMatchObject({ details: { rule: 'hard-reset' } })
    await remove(strict)
    const open = await started({ guard: { 'remove-protected': 'allow' }, setupCommands: ['rm -rf /opt/*'] })
    expect(await exec(open, 'rm -rf /opt/*')).toMatchObject({ exitCode: 0 })
    expect((await client.getSandbox({ params: { id: open } })).guard).toEqual({ 'remove-protected': 'allow' })
    await remove(open)
    const blocked = await created({ setupCommands: ['touch /tmp/x', 'rm -rf /'] })
    const refused = await refusalOf(client.startSandbox({ params: { id: blocked } }))
    expect(refused).toMatchObject({ code: 'command_blocked', message: expect.stringContaining('Set-up command 2') as string })
    const unknown = await refusalOf(created({ guard: { 'hard-rest': 'block' } }))
    expect(unknown).toMatchObject({ code: 'invalid_request', hint: 'Did you mean hard-reset?' })
    const { items } = await client.listGuardrailRules()
    expect(items.find(({ id }) => id === 'hard-reset')).toMatchObject({ native: 'warn', sandbox: 'allow' })
  })

  it('saves files as a snapshot that other sandboxes start from, and forks a sandbox', async () => {
    const id = await started({ setupCommands: ['echo set up >/srv/a'], env: { COLOUR: 'blue' } })
    await exec(id, 'cd /srv; echo later >>a; y=5')
    const take = (name: string, from = id) => client.takeSandboxSnapshot({ params: { id: from }, body: { name } })
    expect(await take('with-a')).toMatchObject({ name: 'with-a', backend: 'bubblewrap', profile: 'machine', sandboxId: id })
    expect((await refusalOf(take('with-a'))).code).toBe('snapshot_exists')
    expect((await refusalOf(take('host'))).code).toBe('invalid_request')
    expect((await client.getSandboxLimits()).backends[0]!.images).toEqual(['host', 'with-a'])

    const fork = await client.forkSandbox({ params: { id }, body: {} })
    expect(fork).toMatchObject({ status: 'started', setupCommands: [], envNames: ['COLOUR'] })
    expect(await exec(fork.id, 'cat /srv/a; echo "[$COLOUR$y]" >>/srv/a')).toMatchObject({ output: 'set up\nlater' })
    expect(await exec(id, 'cat a')).toMatchObject({ output: 'set up\nlater' })
    const full = await refusalOf(client.forkSandbox({ params: { id }, body: { wait: false } }))
    expect(full.code).toBe('sandbox_capacity')
    await remove(fork.id)
    await remove(id)
    expect((await refusalOf(take('gone', id))).code).toBe('sandbox_not_found')
    const { items, bytes } = await client.listSandboxSnapshots()
    expect(items.map(({ name }) => name)).toEqual(['with-a'])
    expect(bytes).toBe(items[0]!.bytes)

    await client.patchSettings({ body: { arena: { snapshots: 1 } } })
    const made = await started({ image: 'with-a' })
    expect(await exec(made, 'cat /srv/a')).toMatchObject({ output: 'set up\nlater' })
    expect((await refusalOf(take('more', made))).code).toBe('snapshot_refused')
    await remove(made)
    expect(await client.removeSandboxSnapshot({ params: { name: 'with-a' } })).toEqual({ name: 'with-a' })
    expect((await refusalOf(client.removeSandboxSnapshot({ params: { name: 'with-a' } }))).code).toBe('snapshot_not_found')
    expect(fs.readdirSync(server.app.core.paths.snapshots)).toEqual([])
  })

  it('records the addresses that its network list refused, even after it has ended', async () => {
    const id = await started({ network: { allow: ['registry.example:443'] } })
    expect((await client.getSandbox({ params: { id } })).isolation).toMatchObject({ network: 'allow-list' })
    await exec(
      id,
      'exec 3<>/dev/tcp/127.0.0.1/3128; printf "CONNECT other.example:443 HTTP/1.1\\r\\nHost: other.example:443\\r\\n\\r\\n" >&3; head -1 <&3',
    )
    const traffic = { passed: 0, refused: [{ address: 'other.example:443', reason: 'not-listed', times: 1 }], refusedOthers: 0 }
    expect((await client.listSandboxUsage()).items[0]).toMatchObject({ traffic })
    const { sandbox } = await client.stopSandbox({ params: { id }, body: {} })
    expect(sandbox).toMatchObject({ traffic })
    await remove(id)
  })

  it('stops idle sandboxes, and sandboxes at the end of their lifetime', async () => {
    const idle = await started({ idleTimeoutSec: 1 })
    const old = await started({ lifetimeSec: 1 })
    const busy = refusalOf(exec(old, 'sleep 30'))
    await expect.poll(async () => (await client.getSandbox({ params: { id: idle } })).endReason).toBe('idle')
    await expect.poll(async () => (await client.getSandbox({ params: { id: old } })).endReason).toBe('lifetime')
    expect((await busy).code).toBe('sandbox_not_started')
    await expect.poll(async () => (await client.getSandboxLimits()).running).toBe(0)
  })

  it('keeps every message to its contract', () => expect(server.contractViolations).toEqual([]))
})
