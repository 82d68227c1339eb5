import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import type { Machine, MachineSpec } from '../sandbox/index.ts'
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

  const docker = () => createDocker({ host: testDocker!.host, dataDir: 'builds' })
  const limits = { memoryBytes: 256 << 20, cpus: 1, processes: 100, diskBytes: 64 << 20, openFiles: 1024, fileBytes: 1 << 30 }
  const plain = (name: string, files: Record<string, string> = {}) => ({
    name,
    context: () => {
      const archive = pack()
      for (const [file, content] of Object.entries(files)) archive.entry({ name: file }, content)
      archive.finalize()
      return { tar: Readable.from(archive), done: Promise.resolve() }
    },
    limits,
    signal: AbortSignal.timeout(60_000),
  })
  const build = (name: string, steps: string, files: Record<string, string> = {}) =>
    docker().build({ ...plain(name, files), dockerfile: `FROM ${BASE_IMAGE}\n${steps}\n` })
  /** Made by the Engine itself, as somebody else would. */
  const makeImage = async (name: string, steps: string) => {
    const archive = pack()
    archive.entry({ name: 'Dockerfile' }, `FROM ${BASE_IMAGE}\n${steps}\n`)
    archive.finalize()
    const events = await (await clientOf(testDocker!.host)).buildImage(Readable.from(archive), { t: name })
    expect(await text(events)).toContain('Successfully tagged')
  }
  const removeImage = async (name: string) => (await clientOf(testDocker!.host)).getImage(name).remove({ force: true })
  const read = (image: string, script: string, more: Partial<MachineSpec> = {}) =>
    within({ profile: 'machine', image, ...more }, async (machine) => {
      const { output, exit } = await machine.open({ argv: ['sh', '-c', script], terminal: null })
      const printed = await text(output)
      await exit
      return printed
    })

  it('builds images from all instructions that it understands, and shows the output of a failed step', async () => {
    const label = Buffer.from(JSON.stringify({ name: BASE_IMAGE, profile: 'machine', bytes: 0, createdAt: 0, machine: 'x' })).toString(
      'base64url',
    )
    const ours = hash('sha256', 'builds').slice(0, 16)
    for (const forged of ['not-json', label]) {
      await build('forged:1', `LABEL bashgym.home=${ours} bashgym.snapshot=${forged}`)
      expect(await (await docker().open()).snapshots!.list()).toEqual([]) // such an image names another one, or nothing
    }
    await removeImage('forged:1')
    const steps = [
      'ARG WORD=said',
      'ENV PATH=/opt/bin:$PATH OTHER=$WORD',
      'WORKDIR /app/in',
      'COPY --chown=1000:1000 one.txt two.txt ./',
      'USER 1000',
      'RUN id -u > /tmp/id && \\',
      '  # in between',
      '',
      '  echo $WORD $OTHER $PATH $(pwd) > /tmp/said',
      'USER root',
      'SHELL ["/bin/bash", "-c"]',
      'RUN ["/bin/sh", "-c", "echo $0 > /exec"]',
      'RUN [[ -f one.txt ]] && sleep 4243 & ls /sys/class/net > /net',
      `FROM ${BASE_IMAGE} AS second`,
      'COPY --from=0 /tmp/said /tmp/id /exec /net /app/in/one.txt /got/',
      'CMD ["true"]',
    ]
    await build('built:1', steps.join('\n'), { 'one.txt': '1\n', 'two.txt': '2\n' })
    expect((await docker().state()).images).toContain('built:1')
    expect(await read('built:1', 'cd /got; cat said id exec net one.txt; stat -c %u one.txt')).toMatch(
      /^said said \/opt\/bin:\S* \/app\/in\n1000\n\/bin\/sh\nlo\n1\n1000\n$/,
    )
    await removeImage('built:1')
    await expect(build('built:2', 'RUN echo before; exit 3')).rejects.toThrow(/exit code 3[^]*before/)
  })

  it('runs the commands of a build with our limits, rules and capabilities, and carries out nothing of an image', async () => {
    await build('built:3', 'RUN grep -E "^(Cap|Seccomp:|NoNewPrivs)" /proc/self/status > /status; cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max > /pids 2>/dev/null; true') // prettier-ignore
    const status = await read('built:3', 'cat /status /pids')
    expect(status.match(/^Cap\w+:\s+(\w+)$/gm)!.map((line) => line.split(/\s+/)[1]).join(' ')).toBe([NONE, SIX, SIX, SIX, NONE].join(' ')) // prettier-ignore
    expect(status).toMatch(/NoNewPrivs:\s+1\nSeccomp:\s+2[^]*\n100\n/)
    await removeImage('built:3')
    await expect(build('built:4', 'RUN dd if=/dev/zero of=/big bs=1M count=900; sleep 30')).rejects.toThrow(/more than the limit/)
    await expect(build('built:4', 'RUN true\nRUN dd if=/dev/zero of=/a bs=1M count=40\nRUN dd if=/dev/zero of=/b bs=1M count=40')).rejects.toThrow(/more disk than the limit/) // prettier-ignore
    await makeImage('triggers:1', 'ONBUILD RUN touch /made')
    await expect(docker().build({ ...plain('built:4'), dockerfile: 'FROM triggers:1\nRUN true' })).rejects.toThrow('ONBUILD')
    await removeImage('triggers:1')
  })

  it.each(['strict', 'machine'] as const)('takes no volume, health check or start-up variable from an image (%s)', async (profile) => {
    await makeImage('settings:1', 'RUN mkdir -m 777 /vol\nVOLUME /vol\nENV BASH_ENV=/evil ENV=/evil LD_PRELOAD=/evil KEPT=yes\nHEALTHCHECK --interval=1s CMD touch /tmp/health\nSTOPSIGNAL SIGCONT') // prettier-ignore
    const script =
      'env; dd if=/dev/zero of=/vol/x bs=1M count=200 2>&1; stat -c "%s" /vol/x; grep -c " /vol tmpfs " /proc/mounts; sleep 2; ls /tmp'
    const printed = await read('settings:1', script, { profile, limits: { ...limits, memoryBytes: 512 << 20 } })
    expect(printed).toMatch(/KEPT=yes/)
    expect(printed).not.toMatch(/BASH_ENV|^ENV=|LD_PRELOAD|health/m)
    expect(printed).toMatch(/No space left[^]*\n67108864\n1\n$/)
    await removeImage('settings:1')
    await makeImage('settings:1', 'VOLUME /usr/lib')
    await expect(read('settings:1', 'true', { profile })).rejects.toThrow(/VOLUME.*system folder/)
    await removeImage('settings:1')
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
