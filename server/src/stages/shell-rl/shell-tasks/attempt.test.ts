import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/service.ts'
import { openSandboxes } from '#server/stages/sandboxes/testing-sandboxes.ts'
import { useServer } from '#server/testing/use.ts'
import { type AttemptSpec, openAttempt } from './attempt.ts'

describe.skipIf(findBubblewrap() === null)('an attempt at a shell task', () => {
  const { signal } = new AbortController()
  const server = useServer()
  let sandboxes: Sandboxes
  beforeAll(() => {
    sandboxes = openSandboxes(server.app.core, async (command) => {
      const verdict = command.includes('forbidden') ? 'block' : 'allow'
      return { verdict, rule: null, reason: 'It is forbidden.', alternatives: [], span: null }
    })
  })
  afterAll(() => sandboxes.close())
  const open = (setup: string[], more: Partial<AttemptSpec> = {}) =>
    openAttempt(sandboxes, { setup, name: 'attempt', commandSec: 20, outputBytes: 8192, ...more }, signal)

  it('is set up in order, keeps its shell, and is checked from outside after its programs have ended', async () => {
    const attempt = await open(['mkdir /srv/a', 'cd /srv/a', 'echo one > f'])
    expect(await attempt.run('cd /srv/a; x=2; cat f', signal)).toMatchObject({ output: 'one', exitCode: 0, exited: false })
    await attempt.run('(while :; do echo late >> /srv/a/log; done) & echo $x > g', signal)
    expect(await attempt.run('cat g; exit 3', signal)).toMatchObject({ output: '2', exitCode: 3, exited: true })
    const grown = 'a=$(wc -c < /srv/a/log); sleep 0.2; [ "$(wc -c < /srv/a/log)" = "$a" ] && [ "$(cat /srv/a/g)" = 2 ]'
    expect(await attempt.check(grown, { timeoutSec: 20, signal })).toMatchObject({ passed: true, exitCode: 0 })
    expect(await attempt.check('test -e /srv/b', { timeoutSec: 20, signal })).toMatchObject({ passed: false, exitCode: 1 })
    await attempt.end()
    expect(sandboxes.store.get(attempt.sandboxId)).toBeNull()
  })

  it('ends its programs before a check even if its shell is open', async () => {
    const attempt = await open([])
    await attempt.run('(while :; do echo late >> /srv/log; done) & touch /srv/log', signal)
    const grown = 'a=$(wc -c < /srv/log); sleep 0.2; [ "$(wc -c < /srv/log)" = "$a" ]'
    expect(await attempt.check(grown, { timeoutSec: 20, signal })).toMatchObject({ passed: true })
    await attempt.end()
  })

  it('has no verdict when its check never ends', async () => {
    const attempt = await open([])
    expect(await attempt.check('sleep 60', { timeoutSec: 0.3, signal })).toMatchObject({ passed: null, timedOut: true })
    await attempt.end()
  })

  it('returns an exit code for commands that cannot run, and continues', async () => {
    const attempt = await open([])
    expect(await attempt.run('forbidden', signal)).toMatchObject({
      exitCode: 126,
      exited: false,
      output: expect.stringContaining('It is forbidden.'),
    })
    expect(await attempt.run('echo a\0b', signal)).toMatchObject({ exitCode: 126 })
    expect(await attempt.run('echo on', signal)).toMatchObject({ output: 'on', exitCode: 0 })
    await attempt.end()
  })

  it('leaves nothing behind when a set-up command fails', async () => {
    await expect(open(['true', 'false'])).rejects.toMatchObject({ code: 'setup_failed', details: { index: 1 } })
    expect(sandboxes.list({ limit: 10 }).items).toEqual([])
  })
})
