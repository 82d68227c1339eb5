import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { soaking } from '#server/testing/soak.ts'
import { openMachines } from '../sandbox/index.ts'
import { describeMachines, processes, python, startOwner } from '../sandbox/testing-machines.ts'
import { findGroups } from './groups.ts'
import { groupsOf } from './testing-groups.ts'

const HOST = ['/etc/shadow', '/etc/resolv.conf', '/sys', '/boot', '/var/lib', '/proc/1/root/boot', '/proc/1/root/sys']
const SYSTEM = ['/usr/x', '/dev/shm/x']
const NO_CAPABILITIES = Array<string>(5).fill('0'.repeat(16)).join(' ')

describe.skipIf(!fs.existsSync('/usr/bin/bwrap'))('bubblewrap', () => {
  const { engine, records, specOf, within } = describeMachines({
    name: 'bubblewrap',
    image: 'host',
    open: openMachines,
    expected: {
      machine: {
        hidden: HOST,
        writable: ['/x', '/etc/x', '/opt/x'],
        refused: SYSTEM,
        capabilities: NO_CAPABILITIES,
        may: [],
        disk: 'watched',
        bounded: [],
      },
      strict: { hidden: HOST, writable: [], refused: SYSTEM, capabilities: NO_CAPABILITIES, may: [], disk: 'watched', bounded: [] },
    },
    seesOthers: false,
    ignoresSetuid: true,
    knowsOutOfMemory: findGroups() !== null,
    terminal: /\/dev\/console\r\n/,
    refusedSpecs: [
      [{ network: 'open' }, 'isolation_unavailable', /^network/],
      [{ workdir: '/usr/src' }, 'invalid_request', /^workdir/],
    ],
  })

  it('is removed with all its files, at any depth and with any permissions', async () => {
    const machine = await engine().create(specOf({ profile: 'strict' }))
    await python(
      machine,
      'import os\nfor _ in range(60):\n    os.mkdir("d" * 100); os.chdir("d" * 100)\nos.chmod(".", 0)\nos.mkdir("/tmp/closed", 0)\nos.chdir("/tmp")\nfor _ in range(4000):\n    os.mkdir("e"); os.chdir("e")',
    )
    const folder = folderOf(records())
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    await machine.remove()
    expect([fs.existsSync(folder), fs.readdirSync(records())]).toEqual([false, []])
    await expect(machine.open({ argv: ['true'], terminal: null })).rejects.toThrow(/removed/)
  })

  it('is stopped before it has written much more than its disk limit, however fast it writes', async () => {
    const [MB, LATE_NS] = [1024 * 1024, 60e6]
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    onTestFinished(() => void delay.disable())
    const limits = { memoryBytes: 1024 * MB, cpus: 4, processes: 64, diskBytes: 64 * MB, openFiles: 128, fileBytes: 16 * MB }
    const writers = `for k in 1 2 3 4; do (n=0; while :; do fallocate -l 16M /tmp/a$k-$n; head -c 16M /dev/zero >/tmp/b$k-$n; n=$((n + 1)); done) 2>/dev/null & done; wait`
    await within({ limits }, async (machine) => {
      await (
        await machine.open({ argv: ['bash', '-c', writers], terminal: null })
      ).exit
      await expect(machine.open({ argv: ['true'], terminal: null })).rejects.toThrow(/bytes of disk/)
      // docs/security.md: at most 64 MB more, but for what is written while the server itself gets no processor time
      expect((await machine.usage()).diskBytes!).toBeLessThan((delay.max > LATE_NS ? 512 : 128) * MB)
    })
  })

  it('shows programs the processors and the memory of its limits, as far as it has them', async () => {
    const MB = 1024 * 1024
    const limits = { memoryBytes: 512 * MB, cpus: 1, processes: 64, diskBytes: 64 * MB, openFiles: 128, fileBytes: 16 * MB }
    await within({ limits }, async (machine) => {
      const channel = await machine.open({ argv: ['sh', '-c', 'nproc; free -k | sed -n 2p'], terminal: null })
      const [cpus, memory] = (await text(channel.output)).split('\n')
      expect(cpus).toBe('1')
      const [total, used] = memory!.split(/\s+/).slice(1).map(Number)
      const isOwn = total === 512 * 1024 && used! < 64 * 1024
      expect(isOwn).toBe(findGroups() !== null)
    })
  })

  it('can start programs and stop after a program inside has replaced /bin/sh', () =>
    within({ profile: 'machine' }, async (machine) => {
      const change = `rm /bin; mkdir /bin; printf '#!/usr/bin/bash\\nwhile :; do /usr/bin/sleep 1; done\\n' >/bin/sh; chmod +x /bin/sh`
      await (
        await machine.open({ argv: ['bash', '-c', change], terminal: null })
      ).exit
      const next = await machine.open({ argv: ['echo', 'begun'], terminal: null })
      expect(await text(next.output)).toBe('begun\n')
      await machine.open({ argv: ['/bin/sh', '-c', 'true'], terminal: null }) // never ends
      await machine.stop()
    }))

  it('leaves nothing after its owner was killed and a sweep', async () => {
    const theirs = newFolder()
    const mark = `95${process.pid}`
    const owner = await startOwner('bubblewrap', theirs, 'host', mark)
    await expect.poll(() => processes(`sleep ${mark}`)).toHaveLength(2)
    const folder = folderOf(theirs)
    const mine = await openMachines(theirs)
    expect(await mine.sweep()).toBe(0) // the owner is alive
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await expect.poll(() => processes(`sleep ${mark}`), { timeout: 30_000, interval: 20 }).toEqual([])
    expect(await mine.sweep()).toBe(1)
    expect([fs.existsSync(folder), fs.readdirSync(theirs)]).toEqual([false, []])
    // a sweep leaves a group whose processes have not ended yet to the next one
    const left = async () => {
      await mine.sweep()
      return groupsOf(owner.pid!)
    }
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
  })

  it('keeps the output of a program that ends before anybody reads it', async () => {
    const machine = await engine().create(specOf({ profile: 'machine' }))
    const channel = await machine.open({ argv: ['sh', '-c', 'echo printed; echo failed >&2'], terminal: null })
    await channel.exit
    await new Promise(setImmediate)
    expect([await text(channel.output), await text(channel.errors!)]).toEqual(['printed\n', 'failed\n'])
    await machine.remove()
  })

  it('leaves its files under its name, for a machine that goes on with them after every process of the killed owner has ended', async () => {
    const theirs = newFolder()
    const mark = `94${process.pid}`
    const owner = await startOwner('bubblewrap', theirs, 'host', mark)
    const folder = folderOf(theirs)
    const made = path.join(folder, 'r', 'tmp', 'made')
    fs.writeFileSync(made, 'by the first\n')
    fs.chmodSync(made, 0o644) // whatever umask another test left in this process
    const mine = await openMachines(theirs)
    const make = (id: string, profile: 'machine' | 'strict' = 'machine') => mine.create({ ...specOf({ profile }), id, leftAs: 'work' })
    const other = await make('other')
    expect(other.goesOn).toBe(false) // the owner is alive
    await other.remove()
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(await mine.sweep((name) => name === 'work')).toBe(0)

    const second = await make('second')
    expect([second.goesOn, processes(`sleep ${mark}`), folderOf(theirs)]).toEqual([true, [], folder])
    const channel = await second.open({ argv: ['cat', '/tmp/made'], terminal: null })
    expect(await Promise.all([text(channel.output), text(channel.errors!), channel.exit])).toMatchObject([
      'by the first\n',
      '',
      { code: 0 },
    ])
    await second.leave!()
    const strict = await make('strict', 'strict')
    expect(strict.goesOn).toBe(false) // its files have other permissions
    await strict.remove()
    const third = await make('third')
    expect(third.goesOn).toBe(true)
    await third.leave!()
    await mine.forget('work')
    expect([fs.existsSync(folder), fs.readdirSync(theirs), groupsOf(process.pid)]).toEqual([false, [], []])
  })

  it('leaves no descriptor, process, folder, mount or group behind, however many there were', async () => {
    const names = new Set<string>()
    const resources = () => ({
      descriptors: fs.readdirSync('/proc/self/fd').length,
      children: fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim(),
      folders: fs.readdirSync(records()),
      places: [...names].filter((name) => fs.existsSync(`/var/tmp/${name}`)),
      mounts: mounts(),
      groups: groupsOf(process.pid),
    })
    const runOnce = (n: number) =>
      within({ profile: n % 2 ? 'strict' : 'machine' }, async (machine) => {
        for (const name of fs.readdirSync(records())) names.add(name)
        const terminal = n % 4 < 2 ? { columns: 80, rows: 24 } : null
        const channel = await machine.open({ argv: ['sh', '-c', `echo ${n} >/tmp/x; cat /tmp/x; exit 3`], terminal })
        expect((await text(channel.output)).trim()).toBe(String(n))
        expect((await channel.exit).code).toBe(3)
        if (n % 10 < 2) await (await machine.open({ argv: ['yes'], terminal })).end() // without reading its output
      })
    await runOnce(0)
    const before = resources()
    for (let n = 0; n < soaking(12, 200); n += 1) await runOnce(n)
    await expect.poll(resources, { timeout: 10_000 }).toEqual(before)
  }, 300_000)
})

/** The folder of the only machine with a record in `records`. */
function folderOf(records: string): string {
  const [name] = fs.readdirSync(records)
  return (JSON.parse(fs.readFileSync(path.join(records, name!, 'machine.json'), 'utf8')) as { folder: string }).folder
}

/** Mounts of this process, without the mounts of the Docker Engine whose tests run at the same time. */
const mounts = () =>
  fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => !/\/engine-\w+\//.test(line))
