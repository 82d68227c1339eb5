import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import type { Sandboxes } from './service.ts'
import { openSandboxes } from './testing-sandboxes.ts'

describe.skipIf(findBubblewrap() === null)('the files of a sandbox', () => {
  const { signal } = new AbortController()
  let core: TestCore
  let sandboxes: Sandboxes
  beforeAll(() => {
    core = openCore({ env: { PATH: process.env['PATH'] ?? '' } })
    sandboxes = openSandboxes(core)
  })
  afterAll(async () => {
    await sandboxes.close()
    await core.close()
  })

  it('are read after the last program that writes them has ended', async () => {
    const { id } = await sandboxes.create(SandboxSpec.parse({ tty: false }))
    await sandboxes.start(id, { wait: true }, signal)
    const exec = (command: string, standalone: boolean) => sandboxes.exec(id, { command, session: 'main', standalone, wait: true }, signal)
    const writer = 'while :; do echo more >> /srv/log; done'
    await exec(`setsid sh -c "trap '' HUP INT TERM; ${writer}" & (${writer}) & until [ -s /srv/log ]; do :; done`, false)
    let bytes = 0
    await sandboxes.stopAndReadFolder(id, '/srv', [], async (tar) => {
      for await (const entry of tar.pipe(extract())) {
        if (entry.header.name === './log') bytes = entry.header.size ?? 0
        entry.resume()
      }
    })
    expect(await exec('wc -c < /srv/log', true)).toMatchObject({ output: `${bytes}\n` })
  })
})
