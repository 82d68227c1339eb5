import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { attachProcess } from './attach.ts'
import { birthOf, kinOf, type ProcessMark } from './marks.ts'
import { howEnded, runToEnd } from './run-to-end.ts'
import { SpawnerEnded, theSpawner } from './spawner.ts'
import { type ProcessSpec, type RunningProcess, startProcess } from './start.ts'

let folder: string
beforeEach(() => void (folder = newFolder()))

/** Whether the spawner starts them. */
let often = false
const quiet = {
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  deadlineMs: null,
  graceMs: 10_000,
  get often() {
    return often
  },
}
const node = (script: string) => ({ ...quiet, command: process.execPath, args: ['-e', script] })
const shell = (script: string) => ({ ...quiet, command: '/bin/sh', args: ['-c', script] })
/** A leader that says the number of a child of its, which would run for ten minutes. */
const WITH_CHILD = 'sleep 600 & echo $!; wait'

/** Started, and its lines: `next` waits for one more. */
async function started(spec: Omit<ProcessSpec, 'output'>): Promise<{ running: RunningProcess; next: () => Promise<string> }> {
  const lines: string[] = []
  const wake = new EventTarget()
  const onLine = (line: string) => {
    lines.push(line)
    wake.dispatchEvent(new Event('line'))
  }
  const running = await startProcess({ ...spec, output: { onLine } })
  return {
    running,
    async next() {
      while (lines.length === 0) await new Promise((resolve) => wake.addEventListener('line', resolve, { once: true }))
      return lines.shift()!
    },
  }
}

const isLinux = process.platform === 'linux'

describe.each([{ often: false }, ...(isLinux ? [{ often: true }] : [])])('a process of ours (by the spawner: $often)', (how) => {
  beforeEach(() => void (often = how.often))
  afterAll(() => void (often = false))

  it('gets the given environment and nothing of ours', async () => {
    const { stdout } = await runToEnd({ ...node('console.log(JSON.stringify(process.env))'), env: { ONLY: 'this' } })
    expect(JSON.parse(stdout)).toEqual({ ONLY: 'this' })
  })

  it('delivers all its output, also an unfinished line, before it reports the end', async () => {
    const { code, stdout, stderr } = await runToEnd(shell('echo one; echo oh >&2; printf two; exit 3'))
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: 'one\ntwo', stderr: 'oh' })
  })

  it('delivers the output of those that end at once', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, no) => runToEnd(shell(`echo ${no}; echo ${no} >&2`))))
    expect(all.map(({ stdout, stderr }) => [stdout, stderr])).toEqual(all.map((_, no) => [String(no), String(no)]))
  })

  it.skipIf(how.often)('appends its output to a file on request', async () => {
    const file = path.join(folder, 'log')
    for (const text of ['a', 'b']) await (await startProcess({ ...shell(`echo ${text}; echo ${text}${text} >&2`), output: { file } })).exit
    expect(fs.readFileSync(file, 'utf8')).toBe('a\naa\nb\nbb\n')
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is refused with the reason of the system when there is no such program', async () => {
    await expect(runToEnd({ ...quiet, command: path.join(folder, 'none'), args: [] })).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('ends on request, with everything it started', async () => {
    const { running, next } = await started(shell(WITH_CHILD))
    const child = Number(await next())
    expect(birthOf(child)).not.toBeNull()
    expect(await running.end()).toEqual({ code: null, signal: 'SIGTERM', endedBy: 'request' })
    expect([birthOf(running.pid), birthOf(child)]).toEqual([null, null])
  })

  it('may tidy up before it ends', async () => {
    const script = "process.on('SIGTERM', () => { console.log('bye'); process.exit(3) }); console.log('ready'); setInterval(() => {}, 1e6)"
    const { running, next } = await started(node(script))
    await next()
    expect(await running.end()).toEqual({ code: 3, signal: null, endedBy: 'request' })
    expect(await next()).toBe('bye')
  })

  it('is killed with everything it started when it ignores the request', async () => {
    const { running, next } = await started({ ...shell(`trap '' TERM; ${WITH_CHILD}`), graceMs: 50 })
    const child = Number(await next())
    expect(await running.end()).toEqual({ code: null, signal: 'SIGKILL', endedBy: 'request' })
    expect(birthOf(child)).toBeNull()
  })

  it('takes what it started with it when it is killed', async () => {
    const { running, next } = await started(shell(WITH_CHILD))
    const child = Number(await next())
    process.kill(running.pid, 'SIGKILL')
    expect(await running.exit).toEqual({ code: null, signal: 'SIGKILL', endedBy: null })
    expect(birthOf(child)).toBeNull()
  })

  it('takes what it started with it when it ends by itself', async () => {
    const { stdout, code } = await runToEnd(shell('sleep 600 & echo $!'))
    expect({ code, alive: birthOf(Number(stdout)) }).toEqual({ code: 0, alive: null })
  })

  it('is ended at its time limit', async () => {
    const { running } = await started({ ...shell(WITH_CHILD), deadlineMs: 50 })
    const exit = await running.exit
    expect(exit).toEqual({ code: null, signal: 'SIGTERM', endedBy: 'deadline' })
    expect(howEnded(exit)).toBe('it took too long')
  })

  it('is ended by its abort signal', async () => {
    const stop = new AbortController()
    const { running, next } = await started({ ...shell(WITH_CHILD), signal: stop.signal })
    const child = Number(await next())
    stop.abort()
    expect(await running.exit).toMatchObject({ endedBy: 'request' })
    expect(birthOf(child)).toBeNull()
    await expect(runToEnd({ ...shell('true'), signal: stop.signal })).rejects.toThrow(/abort/i)
  })

  it('is ended with an error when its lines cannot be handled', async () => {
    const onLine = () => {
      throw new Error('disk full')
    }
    const running = await startProcess({ ...shell(WITH_CHILD), output: { onLine } })
    await expect(running.exit).rejects.toThrow('disk full')
    expect(birthOf(running.pid)).toBeNull()
  })

  it.skipIf(!fs.existsSync('/usr/bin/setsid'))('is not waited for by what left its group and keeps the output open', async () => {
    const { running, next } = await started(shell('setsid sh -c "echo \\$\\$; exec sleep 600" & wait'))
    const escaped = Number(await next())
    process.kill(running.pid, 'SIGKILL')
    expect(await running.exit).toMatchObject({ signal: 'SIGKILL' })
    expect(birthOf(escaped)).not.toBeNull()
    process.kill(escaped, 'SIGKILL')
  })
})

describe.skipIf(!isLinux)('what the spawner started', () => {
  const quickly = (script: string) => ({ ...shell(script), often: true })

  it('has no descriptor but its own, and files as they are', async () => {
    const fd = fs.openSync(path.join(folder, 'file'), 'w+')
    fs.writeSync(fd, 'content')
    const hole = fs.openSync('/', 'r')
    const running = await startProcess({ ...quickly('cat; ls /proc/self/fd >&3'), output: { descriptors: [fd, 'pipe', 'ignore', 'pipe'] } })
    const [given, listed] = await Promise.all([text(running.streams[1] as Readable), text(running.streams[3] as Readable)])
    fs.closeSync(hole)
    fs.closeSync(fd)
    expect([given, listed.trim().split('\n')]).toEqual(['content', ['0', '1', '2', '3', '4']]) // 4 is the listing
  })

  it('is reported as killed when the spawner is killed, with everything it started, and the next start has a new spawner', async () => {
    const { running, next } = await started(quickly(`trap '' TERM; ${WITH_CHILD}`))
    const child = Number(await next())
    const { pid } = await theSpawner()
    expect(kinOf(running.pid)?.parent).toBe(pid)
    const isCut = startProcess({ ...quickly('sleep 600'), output: { descriptors: ['ignore', 'pipe', 'pipe'] } }).catch(
      (error: unknown) => error,
    )
    process.kill(pid, 'SIGKILL')
    expect(await running.exit).toEqual({ code: null, signal: 'SIGKILL', endedBy: null })
    expect([birthOf(running.pid), birthOf(child)]).toEqual([null, null])
    const cut = await isCut
    const isEnded = cut instanceof SpawnerEnded || (await (cut as RunningProcess).exit).signal === 'SIGKILL'
    expect(isEnded).toBe(true)
    expect(await runToEnd(quickly('echo again'))).toMatchObject({ code: 0, stdout: 'again' })
    expect((await theSpawner()).pid).not.toBe(pid)
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with a server that ends by %s', async (signal) => {
    const server = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-spawner.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
    const pids = JSON.parse(line) as number[]
    expect(pids.map((pid) => birthOf(pid) !== null)).toEqual([true, true, true])
    server.kill(signal)
    await expect.poll(() => pids.map(birthOf)).toEqual([null, null, null])
  })

  it('keeps no process of ours from its end', async () => {
    const script = `import { runToEnd } from ${JSON.stringify(path.join(import.meta.dirname, 'run-to-end.ts'))}
      await runToEnd({ command: '/bin/true', args: [], cwd: '/', env: {}, deadlineMs: null, graceMs: 0, often: true })`
    const { status } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { timeout: 60_000 })
    expect(status).toBe(0)
  })
})

describe('a process of an earlier start', () => {
  const restarted = (): { mark: ProcessMark; child: () => Promise<number> } => {
    const log = path.join(folder, 'log')
    const server = spawnSync(process.execPath, [path.join(import.meta.dirname, 'testing-restart.ts'), log], { encoding: 'utf8' })
    const child = async () => {
      await expect.poll(() => fs.readFileSync(log, 'utf8')).toMatch(/\n$/)
      return Number(fs.readFileSync(log, 'utf8'))
    }
    return { mark: JSON.parse(server.stdout) as ProcessMark, child }
  }

  it('is recognised, and its end is reported and ends everything it started', async () => {
    const { mark, child } = restarted()
    const attached = attachProcess(mark, { graceMs: 10_000 })
    const pid = await child()
    expect([birthOf(mark.pid), birthOf(pid)]).toEqual([mark.born, expect.any(String)])
    process.kill(mark.pid, 'SIGKILL')
    expect(await attached.exit).toEqual({ code: null, signal: null, endedBy: null })
    expect(birthOf(pid)).toBeNull()
  })

  it('can be ended with everything it started', async () => {
    const { mark, child } = restarted()
    const pid = await child()
    const attached = attachProcess(mark, { graceMs: 10_000 })
    expect(await attached.end()).toMatchObject({ endedBy: 'request' })
    expect([birthOf(mark.pid), birthOf(pid)]).toEqual([null, null])
    expect(await attached.exit).toMatchObject({ endedBy: 'request' })
  })

  it('is not confused with another process of the same number', async () => {
    const { running, next } = await started(shell(WITH_CHILD))
    const child = Number(await next())
    const stranger = attachProcess({ pid: running.pid, born: 'at another time' }, { graceMs: 0 })
    expect(await stranger.exit).toEqual({ code: null, signal: null, endedBy: null })
    expect(await stranger.end()).toEqual({ code: null, signal: null, endedBy: null })
    expect([birthOf(running.pid), birthOf(child)]).toEqual([running.born, expect.any(String)])
    await running.end()
  })

  it('is no longer watched when nobody waits', async () => {
    const { running } = await started(shell(WITH_CHILD))
    const stop = new AbortController()
    const attached = attachProcess({ pid: running.pid, born: running.born }, { graceMs: 0, signal: stop.signal })
    stop.abort(new Error('closing'))
    await expect(attached.exit).rejects.toThrow(/aborted/)
    expect(birthOf(running.pid)).toBe(running.born)
    await running.end()
  })
})

describe('what a folder of somebody else could choose', () => {
  it('is not started: no relative path, nothing in a folder that is not ours, no program of a foreign one', async () => {
    const planted = path.join(folder, 'planted')
    fs.writeFileSync(planted, '#!/bin/sh\n', { mode: 0o755 })
    fs.symlinkSync(planted, path.join(folder, 'linked'))
    await expect(runToEnd({ ...quiet, command: './planted', args: [] })).rejects.toThrow(/absolute path/)
    await expect(runToEnd({ ...shell('true'), cwd: '/usr' })).rejects.toThrow(/does not run programs in \/usr/)
    const foreign = [folder]
    await expect(runToEnd({ ...quiet, command: planted, args: [], foreign })).rejects.toThrow(/belongs to a project/)
    await expect(runToEnd({ ...quiet, env: { PATH: folder }, command: 'linked', args: [], foreign })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    const env = { PATH: `.:${path.relative('/', folder)}::/usr/bin:/bin` }
    await expect(runToEnd({ ...quiet, env, command: 'planted', args: [] })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await runToEnd({ ...shell('pwd'), cwd: folder })).toMatchObject({ stdout: fs.realpathSync(folder) })
  })
})
