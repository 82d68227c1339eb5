import fs from 'node:fs'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { extractInto } from '#server/foreign/index.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
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

  it('are not trusted when a program has replaced the shell that packs them', async () => {
    const { id } = await sandboxes.create(SandboxSpec.parse({ tty: false }))
    await sandboxes.start(id, { wait: true }, signal)
    const [into, outside] = [newFolder(), newFolder()]
    const exec = (command: string) => sandboxes.exec(id, { command, session: 'main', standalone: true, wait: true }, signal)
    const script = `#!/usr/bin/python3
import io, sys, tarfile
archive = tarfile.open(fileobj=sys.stdout.buffer, mode="w|")
def add(name, **more):
    entry = tarfile.TarInfo(name); entry.size = 3
    for key, value in more.items(): setattr(entry, key, value)
    archive.addfile(entry, io.BytesIO(b"out"))
add("./first")
add("./l", type=tarfile.SYMTYPE, linkname="${outside}", size=0)
add("./l/written")
archive.close()
`
    await sandboxes.write(id, { path: '/srv/sh', content: script, encoding: 'utf8', mode: 0o755 })
    expect(await exec('rm /bin; mkdir /bin; cp /usr/bin/bash /bin/; mv /srv/sh /bin/sh; head -1 /bin/sh')).toMatchObject({
      output: '#!/usr/bin/python3\n',
    })
    await expect(sandboxes.stopAndReadFolder(id, '/srv', [], (tar) => extractInto(into, tar))).rejects.toThrow('is below "l"')
    expect([fs.readdirSync(into), fs.readdirSync(outside)]).toEqual([[], []])
    await sandboxes.stop(id, true)
  })
})
