import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Backend, type BackendState, lastSentence, startBackend } from './backend.ts'

const fixture = (name: string) => path.join(import.meta.dirname, 'fixtures', name)

let dataDir: string
let backend: Backend | undefined
let states: BackendState[]
let waiting: { fits: (state: BackendState) => boolean; resolve: (state: BackendState) => void }[]

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-backend-'))
  states = []
  waiting = []
})
afterEach(async () => {
  await backend?.stop()
  backend = undefined
  fs.rmSync(dataDir, { recursive: true, force: true })
})

function start(script: string, serverArgs: string[] = []): Backend {
  fs.writeFileSync(path.join(dataDir, 'script'), script)
  backend = startBackend({
    node: process.execPath,
    serverEntry: fixture('server.mjs'),
    cliEntry: fixture('bashgym.mjs'),
    dataDir,
    serverArgs: ['--home', dataDir, ...serverArgs],
    firstPauseMs: 1,
    watchMs: 5,
    onStderr: () => undefined,
    onState(state) {
      states.push(state)
      for (const { resolve } of waiting.filter(({ fits }) => fits(state))) resolve(state)
      waiting = waiting.filter(({ fits }) => !fits(state))
    },
  })
  return backend
}

/** The next time the backend enters that state. */
const entered = <S extends BackendState['state']>(name: S) =>
  new Promise<BackendState & { state: S }>((resolve) => {
    waiting.push({ fits: ({ state }) => state === name, resolve: resolve as (state: BackendState) => void })
  })
const names = () => states.map(({ state }) => state)
const starts = () => fs.readFileSync(path.join(dataDir, 'starts'), 'utf8').trim().split('\n')

/** A Bash Gym that somebody else started. */
async function runningElsewhere(): Promise<{ url: string; end: () => Promise<void> }> {
  const server = http.createServer((_request, response) => {
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server
  fs.writeFileSync(path.join(dataDir, 'running'), url)
  return {
    url,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

describe('the supervisor', () => {
  it('signs in at the server that it started and ends it on stop', async () => {
    const running = start('ready')
    expect(running.current()).toEqual({ state: 'starting', reason: null })
    const ready = await entered('ready')
    expect(ready).toMatchObject({ isOurs: true })
    expect(await running.signInLink()).toBe(`${ready.url}/#secret=once`)
    await running.stop()
    await expect(fetch(ready.url)).rejects.toThrow('fetch failed')
    expect(names()).toEqual(['starting', 'ready'])
  })

  it('restarts a server that ends by itself and says why it ended', async () => {
    start('crash ready')
    expect(await entered('restarting')).toEqual({
      state: 'restarting',
      reason: 'The server stopped: it exited with code 1. It said: TypeError: the disk is full',
      inMs: 1,
    })
    await entered('ready')
    expect(names()).toEqual(['starting', 'restarting', 'starting', 'ready'])
    expect(states[2]).toMatchObject({ reason: expect.stringContaining('the disk is full') })
  })

  it('doubles the wait each time and gives up at the fifth failure within a minute, until a retry is requested', async () => {
    const running = start('crash crash crash crash crash ready')
    const { reason } = await entered('failed')
    expect(reason).toContain('the disk is full')
    expect(reason).toContain('5th time within a minute')
    expect(states.flatMap((state) => (state.state === 'restarting' ? [state.inMs] : []))).toEqual([1, 2, 4, 8])
    expect(starts()).toHaveLength(5)
    running.retry()
    await entered('ready')
  })

  it('uses a server that holds the data directory and leaves it running', async () => {
    const other = await runningElsewhere()
    const running = start('locked')
    expect(await entered('ready')).toMatchObject({ url: other.url, isOurs: false })
    expect(await running.signInLink()).toBe(`${other.url}/#secret=once`)
    await running.stop()
    expect((await fetch(other.url)).status).toBe(200)
    await other.end()
  })

  it('starts its own server when the one that it used has ended', async () => {
    const other = await runningElsewhere()
    start('locked ready')
    await entered('ready')
    const next = entered('ready')
    await other.end()
    expect(await next).toMatchObject({ isOurs: true })
    expect(states.at(-2)).toMatchObject({ state: 'starting', reason: 'The server that this window was connected to has stopped.' })
  })

  it('tries again while the holder of the data directory cannot be reached', async () => {
    start('locked ready')
    expect((await entered('restarting')).reason).toContain('No server is running.')
    await entered('ready')
  })

  it('takes a free port, and says so, when another program has the usual one', async () => {
    start('taken taken')
    const ready = await entered('ready')
    expect(ready.notice).toBe(`Another program is using Bash Gym's usual port. Until the next start, its address is ${ready.url}.`)
    expect(names()).toEqual(['starting', 'starting', 'ready'])
  })

  it('uses no other port than the given one', async () => {
    start('taken', ['--port', '8002'])
    expect((await entered('restarting')).reason).toContain('code 4')
  })

  it('says so when Node is not there', async () => {
    backend = startBackend({
      node: path.join(dataDir, 'no-node'),
      serverEntry: 'x',
      cliEntry: 'x',
      dataDir,
      serverArgs: [],
      firstPauseMs: 1,
      onStderr: () => undefined,
      onState: (state) => states.push(state),
    })
    await expect.poll(() => backend?.current().state).toBe('failed')
    expect(states.at(-1)).toMatchObject({ reason: expect.stringMatching(/could not be started .*ENOENT/) })
  })

  it('starts nothing more after stop', async () => {
    const running = start('crash ready')
    await entered('restarting')
    await running.stop()
    expect(starts()).toEqual(['crash'])
    expect(names().at(-1)).toBe('restarting')
  })
})

describe('what is quoted of a server that ended', () => {
  it.each([
    ['', ''],
    ['warming up\nPort 8002 on 127.0.0.1 is taken.\n', 'Port 8002 on 127.0.0.1 is taken.'],
    ['file:///x.js:3\n  throw new Error("no")\n  ^\n\nError: no\n    at x (file:///x.js:3:4)\n\nNode.js v24.21.0\n', 'Error: no'],
  ])('%j gives %j', (stderr, sentence) => {
    expect(lastSentence(stderr)).toBe(sentence)
  })
})
