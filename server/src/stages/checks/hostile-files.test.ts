import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckReport } from '#contracts/entities/check.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { type OwnServer, startOwnServer } from '#server/testing/own-server.ts'

/** Every name that is read from a project before anything runs. */
const NAMES = ['package.json', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'Makefile', 'verify.sh', 'go.mod', 'Cargo.toml', 'test_a.py', 'a.bats', '.github/workflows/ci.yml', '.gitlab-ci.yml', '.venv/pyvenv.cfg', 'conductor.json', '.devcontainer.json', 'package-lock.json', 'requirements.txt', 'poetry.lock'] // prettier-ignore
const isRoot = process.getuid?.() === 0
const sockets: net.Server[] = []

/** What can have such a name. */
const KINDS: [kind: string, make: (place: string) => unknown][] = [
  ['a FIFO', (place) => execFileSync('mkfifo', [place])],
  ['a socket', (place) => sockets.push(net.createServer().listen(path.relative('.', place)))],
  ['a device without end', (place) => (isRoot ? execFileSync('mknod', [place, 'c', '1', '5']) : fs.symlinkSync('/dev/zero', place))],
  ['a folder', (place) => fs.mkdirSync(place)],
  ['a link to itself', (place) => fs.symlinkSync(path.basename(place), place)],
  ['a link to /dev/zero', (place) => fs.symlinkSync('/dev/zero', place)],
  ['a link to a FIFO elsewhere', (place) => fs.symlinkSync(path.join(root, 'fifo'), place)],
]
const root = useFolder()

describe.skipIf(findBubblewrap() === null)('a project with files that are none', () => {
  let server: OwnServer
  beforeAll(async () => {
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    server = await startOwnServer(root)
  }, 60_000)
  afterAll(async () => {
    await server?.end()
    for (const socket of sockets) socket.close()
  })
  const project = (make: (place: string) => unknown): string => {
    const folder = fs.mkdtempSync(path.join(root, 'p'))
    for (const name of NAMES) {
      const place = path.join(folder, name)
      fs.mkdirSync(path.dirname(place), { recursive: true })
      make(place)
    }
    return folder
  }
  const check = async (directory: string) => {
    const { id } = await server.client.runChecks({ body: { directory, timeoutSec: 60 } })
    const ended = async () => (await server.client.getJob({ params: { id } })).state
    await expect.poll(ended, { timeout: 60_000 }).not.toMatch(/running|queued/)
    return server.client.getJob({ params: { id } })
  }
  const plan = (directory: string) =>
    server.client.planTask({ body: { prompt: 'x', agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: 'http://127.0.0.1:9' }, model: 'some', directory } }) // prettier-ignore

  it.each(KINDS)('is answered when each is %s, and so is everybody else meanwhile', { timeout: 90_000 }, async (_kind, make) => {
    const directory = project(make)
    const answers = Promise.all([server.client.findChecks({ body: { directory } }), plan(directory), check(directory)])
    expect((await server.client.getHealth({})).status).toBe('ok')
    const [found, planned, { error, result }] = await answers
    expect(found.items).toEqual([])
    expect(planned).toMatchObject({ setup: [], checks: [] })
    expect(error).toBeNull()
    expect(result as CheckReport).toMatchObject({
      status: 'none',
      runner: null,
      reason: expect.stringContaining('No checks were found') as string,
    })
  })

  it('is not read when a file is too large, and not copied', { timeout: 90_000 }, async () => {
    const directory = project((place) => {
      fs.writeFileSync(place, '')
      fs.truncateSync(place, 10 * 1024 ** 3)
    })
    await plan(directory)
    expect((await check(directory)).error).toMatchObject({ code: 'payload_too_large', message: expect.stringContaining('2 GB') as string })
    expect((await server.client.getHealth({})).status).toBe('ok')
  })

  it('is checked without them', { timeout: 90_000 }, async () => {
    const directory = fs.mkdtempSync(path.join(root, 'p'))
    fs.writeFileSync(path.join(directory, 'verify.sh'), 'ls\n')
    for (const [index, [, make]] of KINDS.entries()) make(path.join(directory, `x${index}`))
    const { result } = await check(directory)
    expect(result as CheckReport).toMatchObject({ status: 'passed', outputTail: 'verify.sh\nx3\nx4\nx5\nx6\n' })
  })
})
