import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import type { Task, TaskRequest } from '#contracts/entities/task.ts'
import { clientOf } from '#server/adapters/docker/client.ts'
import { createDocker } from '#server/adapters/docker/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { makeRepository } from './testing-repository.ts'
import { endOf } from './testing-end.ts'

const PROJECT = {
  'sums.py': 'def add(a, b):\n    return a - b\n',
  'test_sums.py':
    'import unittest, sums\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(sums.add(1, 2), 3)\n',
}
const SOLVE = "sed -i 's/a - b/a + b/' sums.py; git commit -qam done"

describe.skipIf(testDocker === null)('a run in Docker', () => {
  const root = useFolder()
  const server = useServer(() => ({ dockerHost: testDocker!.host }))
  let script: Reply[] = []
  const stub = useStub(() => script.shift() ?? { text: 'exit 0' })
  const requestWith = (more: Partial<TaskRequest>) => {
    const endpoint = { kind: 'url', dialect: 'openai', baseUrl: stub.url } as const
    return { prompt: 'Mend the sum.', agent: 'shell', endpoint, model: 'some', backend: 'docker', image: BASE_IMAGE, ...more } as const
  }
  const run = async (commands: string[], more: Partial<TaskRequest>): Promise<Task> => {
    script = commands.map((text) => ({ text }))
    return endOf(server.client, await server.client.createTask({ body: requestWith(more) }))
  }

  it('works on a copy in a container without network, and is checked in another one', async () => {
    const directory = makeRepository(root, PROJECT)
    const look = 'git log --format=%s; id -u; ls /sys/class/net; touch /etc/x; echo marker >/tmp/left'
    const task = await run([look, SOLVE, 'exit 0'], { directory })
    expect(task).toMatchObject({
      state: 'review',
      error: null,
      change: { files: 1, added: 1, removed: 1 },
      verification: { status: 'passed', runner: 'unittest', passed: 1, isolation: 'docker' },
    })
    const { items } = await server.client.listTaskEvents({ params: { id: task.id }, query: {} })
    const firstResult = items.find(({ kind }) => kind === 'result')!.text
    expect(firstResult.split('\n').slice(0, 3)).toEqual(['start', '1000', 'lo'])
    expect(firstResult).toContain('Read-only file system')
    expect(fs.readFileSync(path.join(directory, 'sums.py'), 'utf8')).toBe(PROJECT['sums.py'])

    expect(await run(['exit 0'], { directory, verify: 'test -e /tmp/left' })).toMatchObject({ state: 'failed', verification: { status: 'failed' } }) // prettier-ignore
    expect(await run([], { directory })).toMatchObject({ state: 'unverified', verification: { status: 'error' }, change: { files: 0 } })
  })

  it('has its files saved while it works, and goes on with them after a pause', async () => {
    const directory = makeRepository(root, PROJECT)
    script = [SOLVE, 'sleep 600'].map((text) => ({ text }))
    const { id } = await server.client.createTask({ body: requestWith({ directory }) })
    const get = () => server.client.getTask({ params: { id } })
    await expect.poll(async () => (await get()).change?.files, { timeout: 60_000 }).toBe(1)
    expect((await get()).state).toBe('working')
    expect((await server.client.pauseTask({ params: { id } })).state).toBe('paused')
    await server.client.resumeTask({ params: { id } })
    expect(await endOf(server.client, { id })).toMatchObject({ state: 'review', change: { files: 1, added: 1, removed: 1 } })
    expect(stub.received.at(-1)!.raw).toContain('You were interrupted')
  })

  it('writes nowhere else when the tar of its image makes links and files below them', async () => {
    const directory = makeRepository(root, PROJECT)
    const outside = fs.mkdtempSync(path.join(root, 'outside-'))
    const evil = pack()
    evil.entry({ name: './l', type: 'symlink', linkname: outside })
    evil.entry({ name: './l/key' }, 'written')
    evil.entry({ name: './l/inner', type: 'symlink', linkname: '/etc' })
    evil.finalize()
    const hostile = await buffer(Readable.from(evil))
    const context = () => {
      const files = pack()
      files.entry({ name: 'evil.tar' }, hostile)
      files.entry({ name: 'tar', mode: 0o755 }, '#!/bin/sh\n[ "$1" = --create ] && exec cat /evil.tar\nexec real-tar "$@"\n')
      files.finalize()
      return { tar: Readable.from(files), done: Promise.resolve() }
    }
    const docker = createDocker({ host: testDocker!.host, dataDir: 'tests' })
    const image = 'hostile-tar:1'
    const dockerfile = `FROM ${BASE_IMAGE}\nRUN mv "$(command -v tar)" /usr/bin/real-tar\nCOPY evil.tar /evil.tar\nCOPY tar /usr/bin/tar\n`
    const limits = { memoryBytes: 256 << 20, cpus: 1, processes: 100, diskBytes: 1 << 30, openFiles: 1024, fileBytes: 1 << 30 }
    await docker.build({ name: image, dockerfile, context, limits, signal: AbortSignal.timeout(60_000) })
    try {
      const task = await run([SOLVE, 'exit 0'], { directory, image })
      expect(task).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('is below "l"') as string } })
      expect(fs.readdirSync(outside)).toEqual([])
      expect(fs.readFileSync(path.join(directory, 'sums.py'), 'utf8')).toBe(PROJECT['sums.py'])
    } finally {
      await (await clientOf(testDocker!.host)).getImage(image).remove({ force: true })
    }
  })

  it('is refused when Docker cannot enforce its limits', async () => {
    const refusals = async (more: Partial<TaskRequest>) =>
      (await server.client.planTask({ body: requestWith(more) })).refusals.map(({ message }) => message).join('\n')
    expect(await refusals({})).toBe('')
    expect(await refusals({ image: 'not-there:1' })).toContain('no image "not-there:1"')
    expect(await refusals({ network: ['example.org:443'] })).toContain('list of allowed addresses')
    expect(await refusals({ agent: 'claude-code' })).toContain('cannot be given access to the model alone')
  })
})
