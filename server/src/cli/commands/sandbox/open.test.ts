import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CHALLENGE, PROOF } from '#server/listeners/tokens.ts'
import { serveSandboxes } from '#server/serve-sandboxes.ts'
import { useFolder } from '#server/testing/folders.ts'
import type { Context } from '../../command.ts'
import { openSandboxes } from './open.ts'
import type { Sandboxes } from './sandboxes.ts'

let server: http.Server
let url: string
let answers: Record<string, [status: number, body: unknown, headers?: http.OutgoingHttpHeaders]>
let seen: { call: string; authorization: string | null; body: unknown }[]
beforeEach(async () => {
  seen = []
  server = http.createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const call = `${request.method} ${request.url}`
    seen.push({ call, authorization: request.headers.authorization ?? null, body: text === '' ? null : (JSON.parse(text) as unknown) })
    const [status, body, headers] = answers[call] ?? [404, 'nothing here']
    const isJson = typeof body !== 'string'
    response.writeHead(status, { 'content-type': isJson ? 'application/json' : 'text/plain', ...headers })
    response.end(isJson ? JSON.stringify(body) : body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  vi.unstubAllEnvs()
  server.close()
})

const TOKEN = 'the-token-that-only-our-server-may-get'
const dataDir = useFolder()

/** Opens sandboxes with `--server`, with a token in the environment, which may also be sent to a service that cannot prove itself. */
function open(address = url, { token = TOKEN, isSent = true }: { token?: string | null; isSent?: boolean } = {}): Promise<Sandboxes> {
  vi.stubEnv('BASHGYM_SANDBOX_TOKEN', token ?? undefined)
  const values = Object.fromEntries([
    ['server', address],
    ['home', dataDir],
    ['send-token', isSent],
  ])
  return openSandboxes({ values, signal: new AbortController().signal } as unknown as Context) // the fields that it reads
}

/** The service of SoS 0.0.7 has no `/health`, ignores unknown fields, and answers with only these fields. */
const FOREIGN = {
  'POST /sandboxes': [200, { id: 'one' }],
  'POST /sandboxes/one/start': [200, ''],
  'POST /sandboxes/one/exec?full=1': [200, { output: 'hi\n', exit_code: 3, exited: false }],
  'POST /sandboxes/one/stop': [200, ''],
  'GET /sandboxes?full=1': [
    200,
    [
      {
        id: 'one',
        image: 'ubuntu:latest',
        setup_commands: 'a && b',
        status: 'started',
        session_command_count: 1,
        last_standalone_exit_code: null,
      },
    ],
  ],
  'GET /sandboxes/one/trajectory?full=1': [
    200,
    {
      sandbox_id: 'one',
      command_count: 2,
      trajectory: [
        { index: 0, command: 'ls', timestamp: 0.5, result: { output: 'x', exit_code: 0 } },
        { index: 1, command: 'cat', timestamp: 1.5 },
      ],
    },
  ],
} satisfies typeof answers

it('works with a service that knows only its own fields', async () => {
  answers = FOREIGN
  const sandboxes = await open()
  expect(await sandboxes.create({ setupCommands: ['a', 'b'], env: {}, limits: {}, tty: false })).toEqual({ id: 'one' })
  await sandboxes.start('one', true)
  expect(await sandboxes.exec('one', { command: 'ls', standalone: true })).toEqual({ output: 'hi\n', exitCode: 3, exited: false })
  await sandboxes.stop('one', true)
  expect(seen.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)).toEqual([
    { image: 'ubuntu:latest', setup_commands: ['a', 'b'] },
    null,
    { command: 'ls', standalone: true },
    { remove: true },
  ])
  expect((await sandboxes.list()).items).toEqual([
    {
      id: 'one',
      image: 'ubuntu:latest',
      setupCommands: ['a && b'],
      status: 'started',
      sessionCommandCount: 1,
      lastStandaloneExitCode: null,
    },
  ])
  expect((await sandboxes.trajectory('one')).trajectory).toEqual([
    { index: 0, command: 'ls', at: 0.5, result: { output: 'x', exitCode: 0 } },
    { index: 1, command: 'cat', at: 1.5, result: null },
  ])
  await expect(sandboxes.trajectoryText('one')).rejects.toMatchObject({ code: 'sandbox_not_found', message: 'nothing here' })
})

it('refuses options that the SoS service would ignore', async () => {
  answers = FOREIGN
  const sandboxes = await open()
  await expect(sandboxes.create({ network: 'none', limits: { memoryMb: 64 } })).rejects.toThrow(`${url} takes only an image and set-up commands, not: network, limits.`) // prettier-ignore
  await expect(sandboxes.create({}, { idempotencyKey: 'some key' })).rejects.toThrow('idempotency-key')
  await expect(sandboxes.exec('one', { command: 'cat', standalone: true, stdin: 'x' })).rejects.toThrow('not: stdin')
  await expect(sandboxes.start('one', false)).rejects.toThrow('--no-wait')
  expect(seen.filter(({ call }) => call.startsWith('POST'))).toEqual([])
})

it('asks for a proof before it sends a token, and follows no redirect', async () => {
  answers = { 'GET /api/health': [302, '', { location: `${url}/elsewhere` }], 'GET /sandboxes?full=1': [200, []] }
  await (await open()).list()
  expect(seen.map(({ call, authorization }) => [call, authorization])).toEqual([
    ['GET /api/health', null],
    ['GET /health', null],
    ['GET /sandboxes?full=1', `Bearer ${TOKEN}`],
  ])
})

describe('a program that took the port of our server', () => {
  const proof = { [PROOF]: 'A'.repeat(43) }
  const health = { version: '1', status: 'ok' }
  it.each<[string, typeof answers]>([
    ['looks like a Bash Gym server', { 'GET /api/health': [200, health] }],
    ['makes up a proof', { 'GET /api/health': [200, health, proof] }],
    ['looks like our sandbox service', { 'GET /health': [200, '', { server: 'bashgym' }] }],
    ['makes up the proof of the sandbox service', { 'GET /health': [200, '', { server: 'bashgym', ...proof }] }],
  ])('%s: gets no token, nor anything else', async (_, its) => {
    for (const isSent of [true, false]) {
      answers = its
      await expect(open(url, { isSent })).rejects.toMatchObject({ code: 'unauthorized', message: expect.stringContaining('did not prove') })
    }
    fs.writeFileSync(path.join(dataDir, 'token'), `${'B'.repeat(43)}\n`)
    await expect(open(url, { token: null })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(JSON.stringify(seen)).not.toMatch(/the-token|BBBB/)
    expect(seen.every(({ authorization, body }) => authorization === null && body === null)).toBe(true)
  })

  it('looks like a service of others: gets no token unless the user says so', async () => {
    answers = FOREIGN
    await expect(open(url, { isSent: false })).rejects.toMatchObject({ hint: expect.stringContaining('--send-token') })
    expect(seen.map(({ authorization }) => authorization)).toEqual([null, null])
  })

  it('passes the challenge on to our server at another address: its proof is not for this one', async () => {
    const ours = await serveSandboxes({ client: {} as never, most: {}, images: null, host: '127.0.0.1', port: 0, token: TOKEN })
    const relayed = vi.fn<(status: number) => void>()
    const relay = http.createServer(async (request, response) => {
      seen.push({ call: request.url!, authorization: request.headers.authorization ?? null, body: null })
      const challenge = String(request.headers[CHALLENGE])
      const answer = await fetch(`${ours.url}/health`, { headers: { [CHALLENGE]: challenge } })
      relayed(answer.status)
      response.writeHead(200, { server: 'bashgym', [PROOF]: answer.headers.get(PROOF)! }).end()
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    await expect(open(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`)).rejects.toThrow('did not prove')
    expect(relayed).toHaveBeenCalledWith(200)
    expect(seen.every(({ authorization }) => authorization === null)).toBe(true)
    relay.close()
    await ours.close()
  })
})

it('sends its token to our service, found in the data directory or given, after its proof', async () => {
  const list = vi.fn(() => ({ items: [], nextCursor: null }))
  const ours = await serveSandboxes({
    client: { listSandboxes: list } as never,
    most: {},
    images: null,
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
  })
  fs.writeFileSync(path.join(dataDir, 'sandbox-token'), `${'C'.repeat(43)}\n`)
  expect((await (await open(ours.url.replace('127.0.0.1', 'localhost'), { isSent: false })).list()).items).toEqual([])
  await ours.close()
  const own = await serveSandboxes({
    client: { listSandboxes: list } as never,
    most: {},
    images: null,
    host: '127.0.0.1',
    port: 0,
    token: 'C'.repeat(43),
  })
  expect((await (await open(own.url, { token: null, isSent: false })).list()).items).toEqual([])
  await own.close()
})

it.each(['nowhere', 'ftp://127.0.0.1', 'http://127.0.0.1/elsewhere', 'http://user:pass@127.0.0.1', 'http://127.0.0.1/?x=1'])(
  'refuses the address %s',
  async (address) => {
    await expect(open(address)).rejects.toThrow('--server must be an address')
  },
)
