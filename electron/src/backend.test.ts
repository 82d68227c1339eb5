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
let waiters: { matches: (state: BackendState) => boolean; resolve: (state: BackendState) => void }[]

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-backend-'))
  states = []
  waiters = []
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
      for (const { resolve } of waiters.filter(({ matches }) => matches(state))) resolve(state)
      waiters = waiters.filter(({ matches }) => !matches(state))
    },
  })
  return backend
}

/** The next time the backend enters that state. */
const nextState = <S extends BackendState['state']>(name: S) =>
  new Promise<BackendState & { state: S }>((resolve) => {
    waiters.push({ matches: ({ state }) => state === name, resolve: resolve as (state: BackendState) => void })
  })
const stateNames = () => states.map(({ state }) => state)
const startedScripts = () => fs.readFileSync(path.join(dataDir, 'starts'), 'utf8').trim().split('\n')

/** Starts a server that the supervisor did not start. */
async function startOtherServer(): Promise<{ url: string; end: () => Promise<void> }> {
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
  it('signs in at the server that it started, and ends that server on stop', async () => {
    const running = start('ready')
    expect(running.current()).toEqual({ state: 'starting', reason: null })
    const ready = await nextState('ready')
    expect(ready).toMatchObject({ isOurs: true })
    expect(await running.signInLink()).toBe(`${ready.url}/#secret=once`)
    await running.stop()
    await expect(fetch(ready.url)).rejects.toThrow('fetch failed')
    expect(stateNames()).toEqual(['starting', 'ready'])
  })

  it('restarts a server that ends unexpectedly, and reports why it ended', async () => {
    start('crash ready')
    expect(await nextState('restarting')).toEqual({
      state: 'restarting',
      reason: 'The server stopped: it exited with code 1. It said: TypeError: the disk is full',
      inMs: 1,
    })
    await nextState('ready')
    expect(stateNames()).toEqual(['starting', 'restarting', 'starting', 'ready'])
    expect(states[2]).toMatchObject({ reason: expect.stringContaining('the disk is full') })
  })

  it('doubles the wait after each failure, and gives up at the fifth within a minute until a retry', async () => {
    const running = start('crash crash crash crash crash ready')
    const { reason } = await nextState('failed')
    expect(reason).toContain('the disk is full')
    expect(reason).toContain('5th time within a minute')
    expect(states.flatMap((state) => (state.state === 'restarting' ? [state.inMs] : []))).toEqual([1, 2, 4, 8])
    expect(startedScripts()).toHaveLength(5)
    running.retry()
    await nextState('ready')
  })

  it('uses a server that already has the data directory, and does not end it on stop', async () => {
    const other = await startOtherServer()
    const running = start('locked')
    expect(await nextState('ready')).toMatchObject({ url: other.url, isOurs: false })
    expect(await running.signInLink()).toBe(`${other.url}/#secret=once`)
    await running.stop()
    expect((await fetch(other.url)).status).toBe(200)
    await other.end()
  })

  it('starts a server when the other server that it used has ended', async () => {
    const other = await startOtherServer()
    start('locked ready')
    await nextState('ready')
    const next = nextState('ready')
    await other.end()
    expect(await next).toMatchObject({ isOurs: true })
    expect(states.at(-2)).toMatchObject({ state: 'starting', reason: 'The server that this window was connected to has stopped.' })
  })

  it('tries again if the process that has the data directory cannot be reached', async () => {
    start('locked ready')
    expect((await nextState('restarting')).reason).toContain('No server is running.')
    await nextState('ready')
  })

  it('uses a free port and shows a notice if another program uses the usual port', async () => {
    start('taken taken')
    const ready = await nextState('ready')
    expect(ready.notice).toBe(`Another program is using Bash Gym's usual port. Until the next start, its address is ${ready.url}.`)
    expect(stateNames()).toEqual(['starting', 'starting', 'ready'])
  })

  it('uses no other port than the port on the command line', async () => {
    start('taken', ['--port', '8002'])
    expect((await nextState('restarting')).reason).toContain('code 4')
  })

  it('reports that Node is missing', async () => {
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

  it('starts no server after stop', async () => {
    const running = start('crash ready')
    await nextState('restarting')
    await running.stop()
    expect(startedScripts()).toEqual(['crash'])
    expect(stateNames().at(-1)).toBe('restarting')
  })
})

describe('the quoted reason of a server that ended', () => {
  it.each([
    ['', ''],
    ['warming up\nPort 8002 on 127.0.0.1 is taken.\n', 'Port 8002 on 127.0.0.1 is taken.'],
    ['file:///x.js:3\n  throw new Error("no")\n  ^\n\nError: no\n    at x (file:///x.js:3:4)\n\nNode.js v24.21.0\n', 'Error: no'],
  ])('%j gives %j', (stderr, sentence) => {
    expect(lastSentence(stderr)).toBe(sentence)
  })
})
