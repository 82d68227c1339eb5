import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import type { Machine } from '../sandbox/index.ts'
import { describeMachines, processes, startOwner } from '../sandbox/testing-machines.ts'
import { clientOf } from './client.ts'
import { createDocker } from './index.ts'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'

const HOST = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock']
/** CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETUID */
const SIX = '00000000000000eb'
const NONE = '0'.repeat(16)

describe.skipIf(testDocker === null)('Docker', () => {
  const { engine, within } = describeMachines({
    name: 'docker',
    image: BASE_IMAGE,
    open: (records) => createDocker({ host: testDocker!.host, dataDir: records }).open(),
    expected: {
      machine: {
        hidden: HOST,
        // the system files are the container's, under each of their paths
        writable: ['/usr/x', '/dev/x', '/etc/alternatives/x', '/etc/ld.so.cache', '/tmp/link/x', '/tmp/root/usr/x', '/proc/1/root/usr/x', '/proc/self/root/usr/x', '/proc/1/cwd/../../../usr/x', '/proc/1/oom_score_adj', '/x', '/etc/x', '/opt/x'], // prettier-ignore
        refused: [],
        capabilities: [NONE, SIX, SIX, SIX, NONE].join(' '),
        may: ['setgroups', 'setuid'],
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
    seesOthers: true,
    ignoresSetuid: false,
    knowsOutOfMemory: true,
    terminal: /\/dev\/pts\/\d+\r\n/,
    refusedSpecs: [[{ network: { allow: [{ host: 'example.com', port: 443 }] } }, 'isolation_unavailable', /^network/]],
  })

  it('leaves no container after its owner was killed and a sweep', async () => {
    const theirs = newFolder()
    const mark = `96${process.pid}`
    const owner = await startOwner('docker', theirs, BASE_IMAGE, mark, testDocker!.host)
    await expect.poll(() => processes(`sleep ${mark}`)).toHaveLength(2)
    const mine = await createDocker({ host: testDocker!.host, dataDir: theirs }).open()
    expect(await mine.sweep()).toBe(0) // the owner is alive
    expect(await engine().sweep()).toBe(0) // the container belongs to another data directory
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await expect.poll(() => processes(`sleep ${mark}`), { timeout: 30_000, interval: 20 }).toEqual([])
    expect([await mine.sweep(), await mine.sweep()]).toEqual([1, 0])
  })

  it('saves the files of a machine as a snapshot, with which another machine can start', async () => {
    const print = async (machine: Machine, script: string) => {
      const { output, exit } = await machine.open({ argv: ['sh', '-c', script], terminal: null })
      const outputText = await text(output)
      await exit
      return outputText
    }
    await within({ profile: 'machine' }, async (machine) => {
      await machine.write('/opt/kept', Buffer.from('kept'), 0o600)
      await expect(machine.snapshot!({ name: 'Not This', maxBytes: 1e9 })).rejects.toThrow('lower-case letters')
      await expect(machine.snapshot!({ name: 'one', maxBytes: 1 })).rejects.toThrow('free for snapshots')
      await machine.snapshot!({ name: 'one', maxBytes: 1e9 })
      expect(await print(machine, 'cat /opt/kept')).toBe('kept') // the machine still runs
    })
    expect((await engine().snapshots!.list()).map(({ name, profile }) => [name, profile])).toEqual([['one', 'machine']])
    await within({ profile: 'machine', image: 'one' }, async (machine) => {
      expect(await print(machine, 'cat /opt/kept; ls -d /proc/[0-9]* | wc -l; id -u')).toMatch(/^kept\d\n0\n$/)
    })
    expect(await createDocker({ host: testDocker!.host, dataDir: 'another' }).state()).not.toMatchObject({ images: expect.arrayContaining(['one']) as unknown }) // prettier-ignore
    expect([await engine().snapshots!.remove('one'), await engine().snapshots!.remove('one')]).toEqual([true, false])
    await within({ profile: 'strict' }, (machine) => Promise.resolve(expect(machine.snapshot).toBeNull()))
  })

  it('builds images without network, and shows the output of a failed step', async () => {
    const docker = createDocker({ host: testDocker!.host, dataDir: 'builds' })
    const context = (dockerfile: string) => {
      const archive = pack()
      archive.entry({ name: 'Dockerfile' }, dockerfile)
      archive.finalize()
      return Readable.from(archive)
    }
    const build = (name: string, steps: string) =>
      docker.build({
        name,
        context: context(`FROM ${BASE_IMAGE}\n${steps}\n`),
        memoryBytes: 256 << 20,
        signal: AbortSignal.timeout(60_000),
      })
    const label = Buffer.from(JSON.stringify({ name: BASE_IMAGE, profile: 'machine', bytes: 0, createdAt: 0, machine: 'x' })).toString(
      'base64url',
    )
    const ours = hash('sha256', 'builds').slice(0, 16)
    for (const forged of ['not-json', label]) {
      await build('forged:1', `LABEL bashgym.home=${ours} bashgym.snapshot=${forged}`)
      expect(await (await docker.open()).snapshots!.list()).toEqual([]) // such an image names another one, or nothing
    }
    await clientOf(testDocker!.host).getImage('forged:1').remove()
    await build('built:1', 'RUN ls /sys/class/net > /seen')
    expect((await docker.state()).images).toContain('built:1')
    await within({ profile: 'machine', image: 'built:1' }, async (machine) => {
      expect(await text(await machine.read('/seen'))).toBe('lo\n')
    })
    await expect(build('built:2', 'RUN echo before; exit 3')).rejects.toThrow(/exit 3[^]*before/)
    await clientOf(testDocker!.host).getImage('built:1').remove()
  })

  it('leaves no descriptor or container behind, ten times', async () => {
    const countDescriptors = () => fs.readdirSync('/proc/self/fd').length
    const runOnce = (n: number) =>
      within({ profile: n % 2 ? 'strict' : 'machine' }, async (machine) => {
        const channel = await machine.open({ argv: ['yes'], terminal: n % 4 < 2 ? { columns: 80, rows: 24 } : null })
        await channel.end() // without reading its output
      })
    await runOnce(0)
    const before = countDescriptors()
    for (let n = 0; n < 10; n += 1) await runOnce(n)
    await expect.poll(countDescriptors, { timeout: 10_000 }).toBeLessThanOrEqual(before) // an idle connection may have ended
  })
})
