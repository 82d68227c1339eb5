import fs from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { kinOf } from '#server/process/marks.ts'
import { openChannel } from './channel.ts'
import { findTools } from './probe.ts'

const OPTIONS = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev']

it.skipIf(!fs.existsSync('/usr/bin/bwrap'))('a start that somebody killed before its program ran is repeated once', async () => {
  const { tools } = await findTools()
  let starts = 0
  const open = (killed: number) =>
    openChannel(tools, {
      options: OPTIONS,
      program: { argv: ['/usr/bin/echo', 'ran'], terminal: null },
      outOfMemory: () => 0,
      signal: new AbortController().signal,
      beforeStart: (pid: number) => {
        starts += 1
        const bwrap = kinOf(pid)!.parent
        if (starts <= killed) for (const one of starts === 1 ? [pid] : [bwrap, pid]) process.kill(one, 'SIGKILL')
      },
    })
  expect(await text((await open(1)).output)).toBe('ran\n')
  expect(starts).toBe(2)
  starts = 0
  await expect(open(2)).rejects.toThrow('before the program started')
  expect(starts).toBe(2)
})
