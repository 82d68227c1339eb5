import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { birthOf } from './marks.ts'
import { runToEnd } from './run-to-end.ts'
import { type RunningTerminal, startTerminal } from './terminal.ts'

let folder: string
beforeEach(() => void (folder = newFolder()))

const env = { PATH: '/usr/bin:/bin', TERM: 'xterm-256color' }
const start = (script: string, more = {}) =>
  startTerminal({ command: '/bin/bash', args: ['-c', script], cwd: folder, env, columns: 100, rows: 30, ...more })
/** Reads what is shown until the pattern is in it. */
async function shown({ output }: RunningTerminal, pattern: RegExp): Promise<RegExpExecArray> {
  let all = ''
  for await (const bytes of output.iterator({ destroyOnReturn: false })) {
    all += String(bytes)
    const found = pattern.exec(all)
    if (found) return found
  }
  throw new Error(`${String(pattern)} is not in ${JSON.stringify(all)}`)
}

it('has the requested size, and later the new one', async () => {
  const terminal = await start('test -t 0 && test -t 1 && stty size; read -r x; stty size')
  await shown(terminal, /30 100/)
  terminal.resize(70_000, -3)
  terminal.input.write('go\n')
  await shown(terminal, /2 500/)
  expect(await terminal.exit).toEqual({ code: 0, signal: null })
  terminal.resize(80, 24)
})

it('reports how its program ended', async () => {
  expect(await (await start('exit 7')).exit).toEqual({ code: 7, signal: null })
  expect(await (await start('kill -KILL $$')).exit).toEqual({ code: null, signal: 'SIGKILL' })
})

it('is refused with the reason of the system when there is no such program or folder', async () => {
  await expect(start('', { command: path.join(folder, 'none') })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(start('', { cwd: path.join(folder, 'none') })).rejects.toMatchObject({ code: 'ENOENT' })
})

it('delivers all output, also to a late reader', async () => {
  const terminal = await start('stty -opost; head -c 5000000 /dev/zero | tr "\\0" x; read -r x')
  let size = 0
  for await (const bytes of terminal.output) {
    size += (bytes as Buffer).length
    if (size >= 5_000_000) terminal.input.write('\n')
  }
  expect(size).toBeGreaterThanOrEqual(5_000_000)
})

it('takes much input at once', async () => {
  const terminal = await start('stty raw -echo; echo ready; head -c 1000000 > typed; echo done')
  await shown(terminal, /ready/)
  terminal.input.write(Buffer.alloc(1_000_000, 'abcdefghij'))
  await shown(terminal, /done/)
  expect(fs.readFileSync(path.join(folder, 'typed'), 'utf8')).toBe('abcdefghij'.repeat(100_000))
})

it('passes files by number, and no other descriptor of this process', async () => {
  fs.writeFileSync(path.join(folder, 'a'), 'first')
  fs.writeFileSync(path.join(folder, 'b'), 'second')
  const others = await Promise.all([start('read -r x'), start('read -r x')])
  try {
    const list = 'cat <&3; echo; cat <&4; echo; ls -l /proc/$$/fd; true'
    const terminal = await start(list, { files: [path.join(folder, 'a'), path.join(folder, 'b')] })
    const seen = await text(terminal.output)
    expect(seen).toMatch(/first\r\nsecond/)
    expect([...seen.matchAll(/(\d+) -> (\S+)/g)].map(([, fd, to]) => [fd, to!.replace(/^\/dev\/pts\/\d+$/, 'terminal')])).toEqual([
      ['0', 'terminal'],
      ['1', 'terminal'],
      ['2', 'terminal'],
      ['3', path.join(folder, 'a')],
      ['4', path.join(folder, 'b')],
    ])
    const ls = { command: '/bin/sh', args: ['-c', 'ls -l /proc/$$/fd'], cwd: '/', env, deadlineMs: null, graceMs: 0 }
    expect((await runToEnd(ls)).stdout).not.toMatch(/ptmx|pts/)
  } finally {
    await Promise.all(others.map((other) => other.end(0)))
  }
})

it('ends its whole session, also processes that ignore the request', async () => {
  const terminal = await start(
    "trap '' HUP; set -m; sleep 600 & (setsid sleep 600 & echo $! inside; wait) & echo $! $(jobs -p) outside; wait",
  )
  const [, ...found] = await shown(terminal, /(?=[^]*?(\d+) inside)(?=[^]*?(\d+) (\d+) \d+ outside)/)
  await terminal.end(50)
  expect([terminal.pid, ...found.map(Number)].map((pid) => birthOf(pid))).toEqual([null, null, null, null])
  expect(await terminal.exit).toEqual({ code: null, signal: 'SIGKILL' })
})

it('leaves no descriptor behind', async () => {
  const count = () => fs.readdirSync('/proc/self/fd').length
  await (
    await start('true')
  ).exit
  const before = count()
  for (let n = 0; n < 30; n += 1) await (await start('echo x')).exit
  expect(count()).toBe(before)
})
