import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount } from '#server/testing/mounts.ts'
import { type Machine, type MachineEngine, type MachineSpec, openMachines } from '../sandbox/index.ts'
import { LIMITS } from '../sandbox/testing-machines.ts'

const here = fs.existsSync('/usr/bin/bwrap')
const MB = 1024 * 1024

describe.skipIf(!here).each(['machine', 'strict'] as const)('a snapshot of a machine of the profile %s', (profile) => {
  let folder: string
  let kept: string
  let records: string
  let engine: MachineEngine
  beforeAll(async () => {
    if (!here) return
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'snapshots-'))
    kept = path.join(folder, 'kept')
    records = path.join(folder, 'records')
    engine = await openMachines(records, kept)
  })
  afterAll(() => here && fs.rmSync(folder, { recursive: true }))

  const within = async <Result>(more: Partial<MachineSpec>, work: (machine: Machine) => Promise<Result>): Promise<Result> => {
    const machine = await engine.create({ id: 'a', image: 'host', profile, workdir: null, env: {}, network: 'none', limits: LIMITS, labels: {}, ...more }) // prettier-ignore
    try {
      return await work(machine)
    } finally {
      await machine.remove()
    }
  }
  const sh = async (machine: Machine, script: string): Promise<string> => {
    const channel = await machine.open({ argv: ['bash', '-c', script], terminal: null })
    channel.input.end()
    const [out, errors] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
    return out + errors
  }
  const until = (stream: Readable, word: string): Promise<string> =>
    new Promise((resolve) => {
      let seen = ''
      stream.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
        if (seen.includes(word)) resolve(seen)
      })
    })
  const take = (machine: Machine, name: string, maxBytes = 100 * MB) => machine.snapshot!({ name, maxBytes })

  it('has its files with permissions and links, and does not disturb its programs', async () => {
    await within({ workdir: '/tmp/work' }, async (machine) => {
      const shell = await machine.open({ argv: ['bash', '--norc', '--noediting', '-i'], terminal: { columns: 80, rows: 24 } })
      const typeAndWait = (line: string, answer: string) => {
        shell.input.write(`${line}\n`)
        return until(shell.output, answer)
      }
      await typeAndWait(
        'cd; echo one >a; chmod 700 a; ln -s a b; ln a c; mkdir -m 0 closed; echo shared >/dev/shm/s; x=5; echo end$((1))',
        'end1',
      )
      await typeAndWait('(sleep 0.7; echo slept) & echo end$((2))', 'end2')
      const snapshot = await take(machine, 'one')
      expect(snapshot).toMatchObject({ name: 'one', profile, machine: 'a' })
      expect(snapshot.bytes).toBeGreaterThan(4096)
      const after = await typeAndWait('wait; echo $x later >a; echo end$((3))', 'end3')
      expect(after).toContain('slept')
      expect(after).not.toContain('Stopped')
      await shell.end()
    })
    expect((await engine.snapshots!.list()).map(({ name }) => name)).toEqual(['one'])
    expect(fs.statSync(kept).mode & 0o777).toBe(0o700)
    for (let n = 0; n < 2; n += 1)
      await within({ image: 'one' }, async (copy) => {
        const output = await sh(
          copy,
          'cd; cat a /dev/shm/s; stat -c "%a %h" a; readlink b; stat -c %a closed; echo mine >>a; cat a; ls /proc | grep -c "^[0-9]"',
        )
        expect(output.split('\n').slice(0, 7)).toEqual(['one', 'shared', '700 2', 'a', '0', 'one', 'mine'])
      })
    expect(await engine.snapshots!.remove('one')).toBe(true)
    expect(await engine.snapshots!.remove('one')).toBe(false)
    expect(fs.readdirSync(kept)).toEqual([])
  })

  it('is refused if it is too large or its name is in use, and leaves nothing', async () => {
    await within({}, async (machine) => {
      await sh(machine, 'head -c 3M /dev/urandom >/tmp/big; ln -s /etc /tmp/out')
      await expect(take(machine, 'small', MB)).rejects.toThrow(/use \d+ bytes, but only 1048576 bytes are free/)
      await take(machine, 'big')
      await expect(take(machine, 'big')).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    })
    expect(fs.readdirSync(kept)).toEqual(['big'])
    const other = profile === 'machine' ? 'strict' : 'machine'
    await expect(within({ image: 'big', profile: other }, async () => {})).rejects.toThrow(/^profile: .*"big"/)
    await expect(within({ image: 'big', limits: { ...LIMITS, diskBytes: MB } }, async () => {})).rejects.toThrow(/^limits.diskBytes/)
    await expect(within({ image: 'none' }, async () => {})).rejects.toMatchObject({ code: 'image_unavailable' })
    // A link in the snapshot does not lead to the host's files.
    await expect(within({ image: 'big', workdir: '/tmp/out/made' }, async () => {})).rejects.toThrow(/is a link/)
    expect(fs.existsSync('/etc/made')).toBe(false)
    expect(fs.readdirSync(records)).toEqual([])
    await engine.snapshots!.remove('big')
  })

  it('is refused for folders in each other beyond the longest path, and keeps special files without reading them', async () => {
    await within({}, async (machine) => {
      await sh(
        machine,
        `cd /tmp; python3 -c 'import os, socket
socket.socket(socket.AF_UNIX).bind("socket")
for name in (b"new\\nline", b"\\xff\\xfe", b"-rf"): open(name, "w").write("x")
open("sparse", "w").truncate(16 << 20)'`,
      )
      expect((await take(machine, 'special')).bytes).toBeLessThan(MB)
      await within({ image: 'special' }, async (copy) => {
        expect(await sh(copy, 'cd /tmp; ls | wc -l; [ -S socket ] && stat -c %s sparse')).toBe(`6\n${16 * MB}\n`)
      })
      await sh(machine, `cd /tmp; python3 -c 'import os\nfor _ in range(60): os.mkdir("d" * 100); os.chdir("d" * 100)'`)
      await expect(take(machine, 'deep')).rejects.toThrow(/longer than 4,096 bytes/)
    })
    await engine.snapshots!.remove('special')
    expect(fs.readdirSync(kept)).toEqual([])
  })

  it('that a killed process left incomplete is removed by the next sweep', async () => {
    const born = Buffer.from('an earlier boot:1').toString('hex')
    fs.mkdirSync(path.join(kept, `.${process.pid}-${born}-00000000`, 'r'), { recursive: true })
    expect(await engine.snapshots!.list()).toEqual([])
    await engine.sweep()
    expect(fs.readdirSync(kept)).toEqual([])
  })

  it.skipIf(!canMount)('reports a full disk, and leaves nothing incomplete', async () => {
    const small = path.join(folder, 'small')
    fs.mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', small])
    try {
      const full = await openMachines(records, small)
      const source = await full.create({ id: 'b', image: 'host', profile, workdir: null, env: {}, network: 'none', limits: LIMITS, labels: {} }) // prettier-ignore
      await sh(source, 'head -c 12M /dev/urandom >/tmp/big')
      await expect(take(source, 'full')).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(fs.readdirSync(small)).toEqual([])
      expect(await sh(source, 'echo still running')).toBe('still running\n')
      await source.remove()
    } finally {
      execFileSync('umount', [small])
    }
  })
})
