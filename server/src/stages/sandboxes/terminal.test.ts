import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { STREAMS_PATH, sandboxSession } from '#contracts/streams.ts'
import { createStreams } from '#renderer/api/stream-client.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { sandboxCalls, useServer } from '#server/testing/use.ts'

describe.skipIf(findBubblewrap() === null)('the terminal of a session', () => {
  const server = useServer()
  const { client } = server
  const { started, exec } = sandboxCalls(server)
  let streams: ReturnType<typeof createStreams>
  beforeAll(() => {
    streams = createStreams({ url: `ws://127.0.0.1:${server.port}${STREAMS_PATH}`, key: () => server.token })
  })

  /** The terminal of a window, with what it shows. */
  const terminal = async (id: string, window: string, from = 0) => {
    let text = ''
    let offset = from
    const decoder = new TextDecoder()
    const flows = Promise.withResolvers<void>()
    const stream = streams.open({
      kind: sandboxSession,
      id: `${id}/main/${window}`,
      from,
      onBytes(bytes, at) {
        text += decoder.decode(bytes, { stream: true })
        offset = at + bytes.length
      },
      onFlow: () => flows.resolve(),
    })
    await flows.promise
    return {
      shown: () => text,
      offset: () => offset,
      async shows(part: string | RegExp) {
        await expect.poll(() => text.replaceAll('\x1b', 'ESC').replaceAll('\x07', 'BEL')).toMatch(part)
      },
      type: (keys: string) => stream.write(Buffer.from(keys)),
      resize: (columns: number, rows: number) => stream.resize({ columns, rows }),
      close: () => stream.close(),
    }
  }
  const takeOver = (id: string, window: string) => client.takeOverSandbox({ params: { id }, body: { window } })
  const handBack = (id: string) => client.handBackSandbox({ params: { id }, body: {} })

  it('shows commands with their output, with the line ends of a terminal', async () => {
    const id = await started()
    const reader = await terminal(id, 'a')
    await exec(id, "printf 'one\\ntwo\\r\\nthree'; printf '\\033]0;title\\007'")
    await exec(id, 'echo "\x1b[2Jno"', { session: 'main' })
    await reader.shows(/three/)
    await reader.type('touch /tmp/typed\r')
    reader.resize(40, 10)
    expect(await exec(id, 'ls /tmp/typed; stty size')).toMatchObject({
      output: expect.stringMatching(/No such file.*\n40 120$/s) as string,
    })
    await reader.shows(/\$ printf 'one.*\r\none\r\ntwo\r\nthreeESC\]0;titleBEL\r\nESC\[0;1m\$ echo "\uFFFD\[2Jno"/s)
    const late = await terminal(id, 'b', 20)
    await expect.poll(late.shown).toBe(reader.shown().slice(20))
    late.close()
    reader.close()
  })

  it('can be controlled by one window: its keys go to the shell, commands wait, and the typed text is kept', async () => {
    const id = await started()
    const [mine, other] = [await terminal(id, 'mine'), await terminal(id, 'other')]
    const before = exec(id, 'sleep 0.3; x=5')
    const taken = await takeOver(id, 'mine')
    expect(taken.terminals).toMatchObject([{ session: 'main', takenOverBy: 'mine' }])
    await before
    await other.type('echo "not run"\r')
    mine.resize(90, 20)
    await mine.type('echo "size $(stty size) $x"\r')
    await mine.shows(/size 20 90 5\r\n/)
    expect((await client.getSandbox({ params: { id } })).terminals).toMatchObject([{ columns: 90, rows: 20 }])
    await expect(exec(id, 'true', { wait: false })).rejects.toMatchObject({
      code: 'session_busy',
      message: expect.stringContaining('person') as string,
    })
    const waiting = exec(id, 'echo "api $y"; stty size')
    expect((await takeOver(id, 'other')).terminals).toMatchObject([{ takenOverBy: 'other' }])
    await other.type('y=typed; false\r')
    await expect.poll(async () => (await client.getSandboxTrajectory({ params: { id } })).trajectory.length).toBe(3)
    expect((await handBack(id)).terminals).toMatchObject([{ takenOverBy: null, columns: 120, rows: 40 }])
    expect(await waiting).toMatchObject({ output: 'api typed\n40 120', exitCode: 0 })
    const { trajectory } = await client.getSandboxTrajectory({ params: { id } })
    expect(trajectory.map(({ command, isTyped, result }) => [command, isTyped, result?.output, result?.exitCode])).toEqual([
      ['sleep 0.3; x=5', false, '', 0],
      ['echo "size $(stty size) $x"', true, 'size 20 90 5', 0],
      ['y=typed; false', true, '', 1],
      ['echo "api $y"; stty size', false, 'api typed\n40 120', 0],
    ])
    await expect(handBack(id)).resolves.toMatchObject({ id })
    mine.close()
    other.close()
  })

  it('records the output with times and without keys, until the sandbox is removed', async () => {
    const id = await started()
    const window = await terminal(id, 'a')
    await exec(id, 'printf "caf\\303"; sleep 0.1; printf "\\251\\n"')
    await takeOver(id, 'a')
    await window.type("read -rsp 'pass''word: ' password\r")
    await window.shows(/password: /) // from here on keys are not shown
    await window.type('secret\r')
    await handBack(id)
    await client.openSandboxSession({ params: { id }, body: { session: 'pipes', tty: false } })
    await exec(id, 'echo plain', { session: 'pipes' })
    await expect(client.takeOverSandbox({ params: { id }, body: { session: 'pipes', window: 'a' } })).rejects.toMatchObject({
      code: 'session_no_terminal',
    })
    await client.stopSandbox({ params: { id }, body: {} })
    const read = async (session: string) => {
      const response = await client.getSandboxRecording({ params: { id }, query: { session } })
      expect(response.headers.get('content-type')).toContain('application/x-asciicast')
      const [header, ...events] = (await response.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      return { header, events: events as [number, string, string][] }
    }
    const { header, events } = await read('main')
    expect(header).toEqual({ version: 2, width: 120, height: 40, timestamp: expect.any(Number) as number })
    const text = events.map(([, , data]) => data).join('')
    expect(text).toContain('café\r\n')
    expect(text).not.toContain('secret')
    expect(events.map(([at]) => at)).toEqual(events.map(([at]) => at).toSorted((a, b) => a - b))
    expect((await read('pipes')).events.map(([, , data]) => data).join('')).toContain('plain\r\n')
    const folder = path.join(server.app.core.paths.recordings, id)
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    expect(fs.statSync(path.join(folder, 'main.cast')).mode & 0o777).toBe(0o600)
    await expect(read('none')).rejects.toMatchObject({ code: 'recording_not_found' })
    await client.stopSandbox({ params: { id }, body: { remove: true } })
    expect(fs.existsSync(folder)).toBe(false)
    window.close()
  })

  it('keeps every message to its contract', () => expect(server.contractViolations).toEqual([]))
})
