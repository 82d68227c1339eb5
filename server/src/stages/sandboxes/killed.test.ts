import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { groupsOf } from '#server/adapters/bubblewrap/testing-groups.ts'
import { processes } from '#server/process/marks.ts'
import { useOwnServer } from '#server/testing/use.ts'

const own = useOwnServer()

describe.skipIf(findBubblewrap() === null)('a server that is killed while sandboxes run', () => {
  it('ends every process, even one that ignores signals; the next start removes the rest and records the reason', async () => {
    const mark = `96${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    const boxes = path.join(own.root, 'home', 'boxes')
    const created = async (spec: object) => (await own.server.client.createSandbox({ body: { ...spec, keep: false } })).id
    const start = (id: string) => own.server.client.startSandbox({ params: { id } })
    const exec = (id: string, command: string, more: object = {}) =>
      own.server.client.execInSandbox({ params: { id }, body: { command, ...more } })

    const [machine, strict, starting] = await Promise.all([{}, { profile: 'strict', tty: false }, { setupCommands: [`sleep ${mark}`] }].map(created)) // prettier-ignore
    await Promise.all([start(machine!), start(strict!)])
    await exec(machine!, `(trap '' HUP INT TERM; sleep ${mark}) & setsid nohup sleep ${mark} >/dev/null 2>&1 </dev/null & disown -a`)
    await own.server.client.openSandboxSession({ params: { id: machine! }, body: { session: 'other' } })
    const unanswered = [
      exec(machine!, `sleep ${mark}`, { session: 'other' }),
      exec(strict!, `trap '' HUP INT TERM; sleep ${mark}`),
      exec(strict!, `sleep ${mark}; exit`, { standalone: true }),
      start(starting!),
    ].map((call) => call.catch(() => null))
    await expect.poll(sleeping).toHaveLength(6)
    const folders = fs.readdirSync(boxes).map((name) => path.join('/var/tmp', name))
    expect(folders.filter((folder) => fs.existsSync(folder))).toHaveLength(3)

    const { pid } = own.server
    await own.server.end('SIGKILL')
    await Promise.all(unanswered)
    await expect.poll(sleeping).toEqual([])
    await own.restart()
    for (const id of [machine!, strict!])
      expect(await own.server.client.getSandbox({ params: { id } })).toMatchObject({ status: 'stopped', endReason: 'owner_died' })
    expect(await own.server.client.getSandbox({ params: { id: starting! } })).toMatchObject({ status: 'created', endReason: null })
    await expect.poll(() => fs.readdirSync(boxes)).toEqual([])
    expect([folders.filter((folder) => fs.existsSync(folder)), groupsOf(pid)]).toEqual([[], []])

    const next = await created({})
    await start(next)
    expect(await exec(next, 'echo on')).toMatchObject({ output: 'on', exitCode: 0 })
  })

  it('leaves nothing of a sandbox that was still starting', async () => {
    const boxes = path.join(own.root, 'home', 'boxes')
    const { id } = await own.server.client.createSandbox({ body: { setupCommands: ['sleep 1000'] } })
    const starting = own.server.client.startSandbox({ params: { id } }).catch(() => null)
    await expect.poll(async () => (await own.server.client.getSandbox({ params: { id } })).phase).toBe('setup')
    await own.server.end('SIGKILL')
    await starting
    expect(fs.readdirSync(boxes)).toHaveLength(1)
    await own.restart()
    await expect.poll(() => fs.readdirSync(boxes)).toEqual([])
  })
})

describe.skipIf(findBubblewrap() === null)('a sandbox that the user made', () => {
  const get = (id: string) => own.server.client.getSandbox({ params: { id } })
  const exec = (id: string, command: string) => own.server.client.execInSandbox({ params: { id }, body: { command } })
  const boxes = () => fs.readdirSync(path.join(own.root, 'home', 'boxes'))

  it('keeps its files when the app is killed or closed, goes on with them without its set-up, and is gone when it is discarded', async () => {
    const { client } = own.server
    const { id } = await client.createSandbox({ body: { setupCommands: ['echo set up >> /srv/log'], limits: { diskMb: 64 } } })
    await client.startSandbox({ params: { id } })
    await exec(id, 'head -c 3M /dev/urandom > /srv/data; cd /srv')
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await own.server.end(signal)
      await own.restart()
      expect(await get(id)).toMatchObject({ status: 'stopped', endReason: 'owner_died', sessions: [] })
      await expect.poll(async () => (await get(id)).kept?.bytes).toBeGreaterThan(3 * 1024 * 1024)
      const again = await own.server.client.startSandbox({ params: { id } })
      expect(again).toMatchObject({ status: 'started', kept: null, endedAt: null, endReason: null })
      expect((await exec(id, 'cat /srv/log; stat -c %s /srv/data')).output).toBe(`set up\n${3 * 1024 * 1024}`)
    }
    expect((await own.server.client.getSandboxTrajectory({ params: { id } })).commandCount).toBe(3)

    await own.server.end('SIGKILL')
    await own.restart()
    await expect.poll(boxes).toHaveLength(1) // the start also tests the engine, with a machine
    const folders = boxes().map((name) => path.join('/var/tmp', name))
    expect(folders.map((folder) => fs.existsSync(folder))).toEqual([true])
    await own.server.client.stopSandbox({ params: { id }, body: { remove: true } })
    expect([boxes(), folders.filter((folder) => fs.existsSync(folder))]).toEqual([[], []])
    await expect(get(id)).rejects.toMatchObject({ code: 'sandbox_not_found' })
  })

  it('loses them when it is stopped, and says so when they are gone', async () => {
    const made = async () => {
      const { id } = await own.server.client.createSandbox({ body: {} })
      await own.server.client.startSandbox({ params: { id } })
      return id
    }
    const stopped = await made()
    await own.server.client.stopSandbox({ params: { id: stopped }, body: {} })
    expect(await get(stopped)).toMatchObject({ status: 'stopped', kept: null })
    await expect(own.server.client.startSandbox({ params: { id: stopped } })).rejects.toMatchObject({ code: 'sandbox_already_started' })

    const id = await made()
    await own.server.end('SIGKILL')
    for (const name of boxes()) fs.rmSync(path.join('/var/tmp', name), { recursive: true })
    await own.restart()
    await expect.poll(async () => (await get(id)).kept).toBeNull()
    await expect(own.server.client.startSandbox({ params: { id } })).rejects.toMatchObject({ code: 'sandbox_already_started' })
  })
})
