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
    const created = async (spec: object) => (await own.server.client.createSandbox({ body: spec })).id
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
