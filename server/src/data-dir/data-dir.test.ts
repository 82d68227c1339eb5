import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { pathsOf } from '#server/config.ts'
import { isLocked, tryLock } from '#server/db/lock.ts'
import { newFolder } from '#server/testing/folders.ts'
import { MAIN } from '#server/testing/own-server.ts'
import { findServer } from './find-server.ts'
import { networkKind, prepareDataDir } from './folder.ts'
import { removeHolder, writeHolder, writeServerFile } from './holder.ts'
import { openDataDir } from './open-data-dir.ts'

let folder: string
let dataDir: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = newFolder()
  dataDir = path.join(folder, 'home')
})
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
})

/** A real server on this data directory; resolves with its ready line, or its exit. */
async function serve(...args: string[]): Promise<{ child: ChildProcess; ready: Ready | null; code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, '--home', dataDir, '--port', '0', ...args], {
    env: { ...process.env, HOME: folder, CLAUDE_CONFIG_DIR: path.join(folder, 'claude') },
  })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ready = new Promise<Ready>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.includes('\n')) resolve(JSON.parse(stdout.split('\n')[0]!) as Ready)
    })
  })
  const ended = once(child, 'close').then(() => null)
  const first = await Promise.race([ready, ended])
  return { child, ready: first, code: child.exitCode, stderr }
}
interface Ready {
  ready: true
  url: string
  tokenFile: string
  pid: number
}

/** Holds the lock the way a command does, in its own process, until it is killed. */
async function holdAsCommand(): Promise<ChildProcess> {
  const module = JSON.stringify(path.resolve(import.meta.dirname, 'open-data-dir.ts'))
  const script = `const { openDataDir } = await import(${module}); await openDataDir({ dataDir: ${JSON.stringify(dataDir)} }, 'command'); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

const modeOf = (file: string) => fs.statSync(file).mode & 0o777

test('folders are 0700 and files 0600 under any umask, and wider ones are narrowed', async () => {
  const before = process.umask(0)
  try {
    fs.mkdirSync(path.join(dataDir, 'spool'), { recursive: true, mode: 0o777 })
    fs.writeFileSync(path.join(dataDir, 'token'), 'old', { mode: 0o666 })
    const opened = await openDataDir({ dataDir }, 'command')
    for (const name of ['.', 'spool', 'archive', 'backups', 'logs']) expect([name, modeOf(path.join(dataDir, name))]).toEqual([name, 0o700])
    for (const name of ['token', 'lock.db', 'lock.json']) expect([name, modeOf(path.join(dataDir, name))]).toEqual([name, 0o600])
    expect(opened.token.value).toMatch(/^[\w-]{43}$/)
    opened.release()
  } finally {
    process.umask(before)
  }
})

test('the token stays the same from start to start', async () => {
  const first = await openDataDir({ dataDir }, 'command')
  first.release()
  const second = await openDataDir({ dataDir }, 'command')
  second.release()
  expect(second.token.value).toBe(first.token.value)
})

test('a file is refused as data directory', () => {
  fs.writeFileSync(dataDir, '')
  expect(() => prepareDataDir({ dataDir }, pathsOf(dataDir))).toThrow(/is a file, not a folder/)
})

test('a folder of something else is refused, and its modes stay as they are', async () => {
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, 'report.txt'), 'mine')
  fs.chmodSync(dataDir, 0o755)
  fs.chmodSync(path.join(dataDir, 'report.txt'), 0o644)
  await expect(openDataDir({ dataDir }, 'command')).rejects.toThrow(/contains other files \(report\.txt\)/)
  expect(fs.statSync(dataDir).mode & 0o777).toBe(0o755)
  expect(fs.statSync(path.join(dataDir, 'report.txt')).mode & 0o777).toBe(0o644)
  expect(fs.readdirSync(dataDir)).toEqual(['report.txt'])
})

test('a new disk is no folder of something else', () => {
  fs.mkdirSync(path.join(dataDir, 'lost+found'), { recursive: true })
  prepareDataDir({ dataDir }, pathsOf(dataDir))
  expect(fs.existsSync(pathsOf(dataDir).spool)).toBe(true)
})

test.runIf(process.platform === 'linux')('a place that holds no folders is refused with its reason, not looked into for ever', () => {
  for (const place of ['/proc/bashgym/home', '/proc/self/bashgym'])
    expect(() => prepareDataDir({ dataDir: place }, pathsOf(place))).toThrow(
      new RegExp(`^${place} cannot be the data directory: it cannot be created`),
    )
})

test('a folder below a file, or without the right to write, is refused', () => {
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, 'file'), '')
  const below = path.join(dataDir, 'file', 'home')
  expect(() => prepareDataDir({ dataDir: below }, pathsOf(below))).toThrow(/it cannot be created/)
  const mkdir = vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }) // root may write anywhere
  })
  const closed = path.join(dataDir, 'closed')
  try {
    expect(() => prepareDataDir({ dataDir: closed }, pathsOf(closed))).toThrow(/it cannot be created \(EACCES/)
  } finally {
    mkdir.mockRestore()
  }
})

test('a lock that cannot be taken is an error that names the folder; no server is asked', async () => {
  fs.mkdirSync(path.join(dataDir, 'lock.db'), { recursive: true })
  expect(findServer(dataDir)).toEqual({ state: 'free' })
  await expect(openDataDir({ dataDir }, 'command')).rejects.toMatchObject({
    code: 'data_dir_refused',
    message: expect.stringMatching(/home cannot be the data directory: its lock cannot be taken \(.*lock\.db/) as string,
  })
})

test('a network folder is refused, by name, before anything is written into it', () => {
  for (const [type, name] of [
    [0x6969, 'NFS'],
    [0x517b, 'SMB'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'], // as a signed 32-bit number
  ] as const) {
    expect(networkKind(type)).toBe(name)
    expect(() => prepareDataDir({ dataDir }, pathsOf(dataDir), () => ({ type }))).toThrow(new RegExp(`network file system \\(${name}\\)`))
  }
  expect(fs.readdirSync(dataDir)).toEqual([])
  expect(networkKind(0xef53)).toBeNull() // ext4
})

test('kill -9 frees the lock; files of the dead server are ignored', async () => {
  const { child, ready } = await serve()
  expect(findServer(dataDir)).toMatchObject({ state: 'running', url: ready!.url, pid: ready!.pid })
  await kill(child)
  expect(fs.existsSync(pathsOf(dataDir).serverJson)).toBe(true)
  expect(findServer(dataDir)).toEqual({ state: 'free' })
  const next = await openDataDir({ dataDir }, 'command')
  expect(fs.existsSync(next.paths.serverJson)).toBe(false)
  next.release()
})

test('a second server on the same data directory ends and names the holder', async () => {
  const first = await serve()
  const second = await serve()
  expect(second.ready).toBeNull()
  expect(second.code).toBe(3)
  expect(second.stderr).toContain(`process id ${first.ready!.pid}`)
  expect(second.stderr).toContain(first.ready!.url)
})

test('a stopped server leaves no lock, no server.json and exit code 0', async () => {
  const { child } = await serve()
  await kill(child, 'SIGTERM')
  expect(child.exitCode).toBe(0)
  expect(fs.existsSync(pathsOf(dataDir).serverJson)).toBe(false)
  expect(isLocked(pathsOf(dataDir).lock)).toBe(false)
})

test('a taken port is an error that says what to do', async () => {
  const other = http.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await serve('--port', String(port))
  other.close()
  expect(code).toBe(4) // the shell and `npm start` tell it from other failures
  expect(stderr).toContain(`Port ${port}`)
  expect(stderr).toContain('--port')
  expect(isLocked(pathsOf(dataDir).lock)).toBe(false)
})

test('an address beyond loopback is refused without the flag', async () => {
  const { code, stderr } = await serve('--host', '0.0.0.0')
  expect(code).toBe(1)
  expect(stderr).toContain('--allow-remote')
})

test('a command waits for another command, and takes over when that one is killed', async () => {
  const holder = await holdAsCommand()
  const waited: number[] = []
  const waiting = openDataDir({ dataDir }, 'command', {
    onWait: ({ pid }) => {
      waited.push(pid)
      holder.kill('SIGKILL')
    },
  })
  const opened = await waiting
  expect(waited).toEqual([holder.pid])
  opened.release()
})

test('a command that waits in vain names the holder', async () => {
  const holder = await holdAsCommand()
  const error = await openDataDir({ dataDir }, 'command', { waitMs: 150 }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'data_dir_locked', message: expect.stringContaining(`process id ${holder.pid}`) as string })
})

test('a command waits for one command after another, and for the moments between them when the lock has no name', async () => {
  fs.mkdirSync(dataDir)
  let lock = tryLock(pathsOf(dataDir).lock)
  const nameIt = () => writeHolder(pathsOf(dataDir), { pid: process.pid, kind: 'command', since: new Date().toISOString() })
  nameIt()
  let clock = 0
  let looks = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    looks += 1
    return clock
  })
  const nextLook = () => {
    const before = looks
    return vi.waitUntil(() => looks > before + 1)
  }
  try {
    const settled = vi.fn()
    const opened = openDataDir({ dataDir }, 'command').finally(settled)
    for (let round = 0; round < 4; round += 1) {
      await nextLook()
      removeHolder(pathsOf(dataDir)) // one command ends, the next has the lock and no name yet
      clock += 1500
      await nextLook()
      nameIt()
      clock += 5000
      await nextLook()
    }
    expect(settled).not.toHaveBeenCalled()
    lock?.release()
    lock = null
    await opened.then((one) => one.release())
  } finally {
    now.mockRestore()
    lock?.release()
  }
})

test('commands that only read run beside each other; one that writes waits for them', async () => {
  const first = await openDataDir({ dataDir }, 'command', { reads: true })
  expect(first.isJoined).toBe(false) // it starts the data directory, alone
  first.share()
  expect(findServer(dataDir)).toEqual({ state: 'free' })
  const second = await openDataDir({ dataDir }, 'command', { reads: true })
  expect(second.isJoined).toBe(true)
  await expect(openDataDir({ dataDir }, 'command', { waitMs: 50 })).rejects.toMatchObject({ code: 'data_dir_locked' })
  const writer = openDataDir({ dataDir }, 'command')
  first.release()
  second.release()
  const opened = await writer
  expect(opened.isJoined).toBe(false)
  opened.release()
})

test('a stopped command does not go on waiting', async () => {
  await holdAsCommand()
  const stop = new AbortController()
  const reason = new Error('stopped')
  const waiting = openDataDir({ dataDir }, 'command', { signal: stop.signal, onWait: () => stop.abort(reason) })
  await expect(waiting).rejects.toBe(reason)
})

test('a foreign program on the port of a dead server never gets the token', async () => {
  const { child, ready } = await serve()
  await kill(child)
  const asked: http.IncomingHttpHeaders[] = []
  const foreign = http.createServer((request, response) => {
    asked.push(request.headers)
    response.end('{}')
  })
  foreign.listen(Number(new URL(ready!.url).port), '127.0.0.1')
  await once(foreign, 'listening')
  // A command holds the lock now, and server.json still names the dead server's address: no match, no token.
  const lock = tryLock(pathsOf(dataDir).lock)
  expect(findServer(dataDir)).toMatchObject({ state: 'locked' })
  writeHolder(pathsOf(dataDir), { pid: process.pid, kind: 'command', since: new Date().toISOString() })
  expect(findServer(dataDir)).toMatchObject({ state: 'locked', holder: { pid: process.pid, kind: 'command' } })
  writeServerFile(pathsOf(dataDir), { url: ready!.url, pid: ready!.pid, startedAt: '', version: '' })
  expect(findServer(dataDir)).toMatchObject({ state: 'locked' })
  lock?.release()
  foreign.close()
  expect(asked).toEqual([])
})

test('an incomplete server.json or lock.json is ignored', async () => {
  const opened = await openDataDir({ dataDir }, 'server')
  fs.writeFileSync(opened.paths.serverJson, '{"url":')
  fs.writeFileSync(path.join(dataDir, 'lock.json'), '')
  expect(findServer(dataDir)).toEqual({ state: 'locked', holder: null })
  opened.release()
})
