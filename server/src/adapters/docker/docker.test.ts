import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeMachines, processes, startOwner } from '../sandbox/testing-machines.ts'
import { createDocker } from './index.ts'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'

const HOST = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock']
/** CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID */
const SEVEN = '00000000000000fb'
const NONE = '0'.repeat(16)

describe.skipIf(testDocker === null)('Docker', () => {
  const { engine, within } = describeMachines({
    name: 'docker',
    image: BASE_IMAGE,
    open: (records) => createDocker({ host: testDocker!.host, home: records }).open(),
    shown: {
      machine: {
        hidden: HOST,
        // its system is its own, under each of its names
        writable: ['/usr/x', '/dev/x', '/etc/alternatives/x', '/etc/ld.so.cache', '/tmp/link/x', '/tmp/root/usr/x', '/proc/1/root/usr/x', '/proc/self/root/usr/x', '/proc/1/cwd/../../../usr/x', '/proc/1/oom_score_adj', '/x', '/etc/x', '/opt/x'], // prettier-ignore
        refused: [],
        capabilities: [NONE, SEVEN, SEVEN, SEVEN, NONE].join(' '),
        may: ['ptrace', 'setgroups', 'setuid'],
        disk: 'watched',
        bounded: ['/dev/shm'],
      },
      strict: {
        hidden: HOST,
        writable: [],
        refused: ['/usr/x', '/etc/x'],
        capabilities: Array<string>(5).fill(NONE).join(' '),
        may: [],
        disk: 'enforced',
        bounded: ['/tmp', '/home/user', '/dev/shm'],
      },
    },
    sockets: [17],
    seesOthers: true,
    ignoresSetuid: false,
    knowsOutOfMemory: true,
    terminal: /\/dev\/pts\/\d+\r\n/,
    refusedSpecs: [[{ network: { allow: [{ host: 'example.com', port: 443 }] } }, 'isolation_unavailable', /^network/]],
  })

  it('leaves no container once its owner was killed and a sweep has been', async () => {
    const theirs = fs.mkdtempSync(path.join(os.tmpdir(), 'theirs-'))
    const mark = `96${process.pid}`
    const owner = await startOwner('docker', theirs, BASE_IMAGE, mark, testDocker!.host)
    await expect.poll(() => processes(`sleep ${mark}`)).toHaveLength(2)
    const mine = await createDocker({ host: testDocker!.host, home: theirs }).open()
    expect(await mine.sweep()).toBe(0) // it lives
    expect(await engine().sweep()).toBe(0) // of another data directory
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await expect.poll(() => processes(`sleep ${mark}`), { timeout: 30_000, interval: 20 }).toEqual([])
    expect([await mine.sweep(), await mine.sweep()]).toEqual([1, 0])
    fs.rmSync(theirs, { recursive: true })
  })

  it('leaves no descriptor or container behind, ten times', async () => {
    const look = () => fs.readdirSync('/proc/self/fd').length
    const one = (n: number) =>
      within({ profile: n % 2 ? 'strict' : 'machine' }, async (machine) => {
        const channel = await machine.open({ argv: ['yes'], terminal: n % 4 < 2 ? { columns: 80, rows: 24 } : null })
        await channel.end() // nobody reads it
      })
    await one(0)
    const before = look()
    for (let n = 0; n < 10; n += 1) await one(n)
    await expect.poll(look, { timeout: 10_000 }).toBeLessThanOrEqual(before) // a connection that was kept may have ended
  })
})
