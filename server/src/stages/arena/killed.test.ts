import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { groupsOf } from '#server/adapters/bubblewrap/testing-groups.ts'
import { processes } from '#server/process/marks.ts'
import { type OwnServer, startOwnServer } from '#server/testing/own-server.ts'

let root: string
let server: OwnServer
beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-killed-'))
  server = await startOwnServer(root)
})
afterEach(async () => {
  await server.end()
  fs.rmSync(root, { recursive: true, force: true })
})

describe.skipIf(findBubblewrap() === null)('a server that is killed while sandboxes run', () => {
  it('takes every process with it, whatever that ignores; the next start removes the rest, and the records say why', async () => {
    const mark = `96${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    const boxes = path.join(root, 'home', 'boxes')
    const created = async (spec: object) => (await server.client.createSandbox({ body: spec })).id
    const start = (id: string) => server.client.startSandbox({ params: { id } })
    const exec = (id: string, command: string, more: object = {}) =>
      server.client.execInSandbox({ params: { id }, body: { command, ...more } })

    const [machine, strict, starting] = await Promise.all([{}, { profile: 'strict', tty: false }, { setupCommands: [`sleep ${mark}`] }].map(created)) // prettier-ignore
    await Promise.all([start(machine!), start(strict!)])
    await exec(machine!, `(trap '' HUP INT TERM; sleep ${mark}) & setsid nohup sleep ${mark} >/dev/null 2>&1 </dev/null & disown -a`)
    await server.client.openSandboxSession({ params: { id: machine! }, body: { session: 'other' } })
    const unanswered = [
      exec(machine!, `sleep ${mark}`, { session: 'other' }),
      exec(strict!, `trap '' HUP INT TERM; sleep ${mark}`),
      exec(strict!, `sleep ${mark}; exit`, { standalone: true }),
      start(starting!),
    ].map((call) => call.catch(() => null))
    await expect.poll(sleeping).toHaveLength(6)
    const folders = fs.readdirSync(boxes).map((name) => path.join('/var/tmp', name))
    expect(folders.filter((folder) => fs.existsSync(folder))).toHaveLength(3)

    const { pid } = server
    await server.end('SIGKILL')
    await Promise.all(unanswered)
    await expect.poll(sleeping).toEqual([])
    server = await startOwnServer(root)
    for (const id of [machine!, strict!])
      expect(await server.client.getSandbox({ params: { id } })).toMatchObject({ status: 'stopped', endReason: 'owner_died' })
    expect(await server.client.getSandbox({ params: { id: starting! } })).toMatchObject({ status: 'created', endReason: null })
    await expect.poll(() => fs.readdirSync(boxes)).toEqual([])
    expect([folders.filter((folder) => fs.existsSync(folder)), groupsOf(pid)]).toEqual([[], []])

    const next = await created({})
    await start(next)
    expect(await exec(next, 'echo on')).toMatchObject({ output: 'on', exitCode: 0 })
  })

  it('leaves nothing of a sandbox that was only being started', async () => {
    const boxes = path.join(root, 'home', 'boxes')
    const { id } = await server.client.createSandbox({ body: { setupCommands: ['sleep 1000'] } })
    const starting = server.client.startSandbox({ params: { id } }).catch(() => null)
    await expect.poll(async () => (await server.client.getSandbox({ params: { id } })).phase).toBe('setup')
    await server.end('SIGKILL')
    await starting
    expect(fs.readdirSync(boxes)).toHaveLength(1)
    server = await startOwnServer(root)
    await expect.poll(() => fs.readdirSync(boxes)).toEqual([])
  })
})
